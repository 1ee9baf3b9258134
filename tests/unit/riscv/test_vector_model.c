/* SPDX-License-Identifier: Apache-2.0 */
/* Every vector instruction, and random words, against the model. */
#include "rig.h"

#include <string.h>

#include "tile/riscv/exec/exec.h"
#include "tile/riscv/hart.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/disasm.h"
#include "tile/riscv/isa/v.h"
#include "tile/riscv/isa/vfind.h"
#include "vmodel.h"

#define WINDOW RIG_DATA /* of memory that is compared */
#define WINDOW_BYTES 0x3000u
#define MIDDLE (WINDOW + WINDOW_BYTES / 2)

static uint8_t model_memory[RIG_L1_BYTES];

struct run {
    struct rig *rig;
    struct tf_hart *hart;
    struct vmodel model;
    uint64_t random, seed;
};

static uint32_t below(struct run *run, uint32_t bound)
{
    return test_random_below(&run->random, bound);
}

/* Numbers of FP32 that matter, among them NaNs, infinities, denormals, and the ends of the ranges of integers. */
static uint32_t random_float(struct run *run)
{
    static const uint32_t corner[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                      0x7fc00000, 0x7f800001, 0xffc12345, 0x00000001, 0x807fffff, 0x00800000,
                                      0x7f7fffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x46fffe00, 0x46ffff00,
                                      0xc7000000, 0xc7000100, 0x477fff00, 0x477fff80, 0x3f000000, 0xbf000000,
                                      0x3fc00000, 0x40200000, 0xbf7fffff, 0xbf000001};
    switch (below(run, 3)) {
    case 0: return corner[below(run, sizeof corner / 4)];
    case 1: return (below(run, 2) << 31) | (120 + below(run, 40)) << 23 | test_random(&run->random) >> 9;
    default: return test_random(&run->random);
    }
}

static void random_registers(struct run *run)
{
    static const uint32_t corner[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff, 2};
    uint8_t *v = run->hart->v;
    unsigned kind = below(run, 4);
    for (unsigned i = 0; i < TF_V_FILE_BYTES; i += 4) {
        uint32_t word = kind == 0   ? random_float(run)
                        : kind == 1 ? corner[below(run, sizeof corner / 4)] << below(run, 3) * 8
                        : kind == 2 ? rig_operand(&run->random)
                                    : test_random(&run->random);
        memcpy(v + i, &word, 4);
    }
    for (unsigned i = 1; i < 32; i++) {
        run->hart->x[i] = rig_operand(&run->random);
        run->hart->f[i] = random_float(run);
    }
}

/* Offsets for an indexed access, in all vector registers but v0. */
static void random_offsets(struct run *run, unsigned width)
{
    for (unsigned i = 16; i < TF_V_FILE_BYTES; i += width / 8) {
        uint32_t offset = test_random(&run->random) & (width == 8 ? 0xfc : 0x7fc);
        if (below(run, 200) == 0)
            offset |= 1 + below(run, 2);
        memcpy(run->hart->v + i, &offset, width / 8);
    }
}

static void random_csrs(struct run *run)
{
    uint32_t *csr = run->hart->csr.word;
    unsigned sew = below(run, 3), lmul = below(run, 7); /* 0..3, then 5..7 */
    csr[TF_CSR_VTYPE] = (lmul < 4 ? lmul : lmul + 1) | sew << 3 | below(run, 4) << 6;
    if (below(run, 50) == 0)
        csr[TF_CSR_VTYPE] = test_random(&run->random) & 0xff;
    unsigned vlmax = lmul < 4 ? (16u << lmul) >> sew : (16u >> (7 - lmul + 1)) >> sew;
    csr[TF_CSR_VL] = below(run, 3) == 0 ? vlmax : below(run, vlmax + 1);
    if (below(run, 100) == 0)
        csr[TF_CSR_VL] = below(run, 256);
    csr[TF_CSR_VXRM] = below(run, 4);
    csr[TF_CSR_VXSAT] = below(run, 8) == 0;
    csr[TF_CSR_FCSR] = below(run, 8) == 0 ? below(run, 32) : 0;
}

static void copy_to_model(struct run *run)
{
    struct vmodel *m = &run->model;
    const struct tf_hart *hart = run->hart;
    memcpy(m->v, hart->v, sizeof m->v);
    memcpy(m->x, hart->x, sizeof m->x);
    memcpy(m->f, hart->f, sizeof m->f);
    m->vl = hart->csr.word[TF_CSR_VL];
    m->vtype = hart->csr.word[TF_CSR_VTYPE];
    m->vxsat = hart->csr.word[TF_CSR_VXSAT];
    m->vxrm = hart->csr.word[TF_CSR_VXRM];
    m->fflags = hart->csr.word[TF_CSR_FCSR];
}

static void complain(const struct run *run, uint32_t word, const uint32_t *csr)
{
    char text[80];
    tf_riscv_disassemble(word, 0, text, sizeof text);
    print_message("%08x %s, vtype %x, vl %u, vxrm %u; seed %llu\n", word, text, csr[TF_CSR_VTYPE], csr[TF_CSR_VL],
                  csr[TF_CSR_VXRM], (unsigned long long)run->seed);
    if (run->rig->tile.faults.count != 0)
        print_message("fault: %s\n", run->rig->tile.faults.entry[0].text);
}

/* Execute a word on both. Returns whether it retired. */
static bool compare(struct run *run, uint32_t word)
{
    struct tf_rv_insn insn;
    struct tf_hart *hart = run->hart;
    const struct vmodel *m = &run->model;
    uint32_t csr[TF_CSR_WORDS];
    memcpy(csr, hart->csr.word, sizeof csr);
    copy_to_model(run);
    run->rig->tile.faults.count = 0;
    hart->state = TF_CORE_RUNNING;
    tf_rv_decode(word, &insn);
    bool retired = tf_exec(&run->rig->tile, hart, &insn) == TF_STEP_NEXT;
    bool wanted = vmodel_step(&run->model, word);
    bool equal = retired == wanted && retired == (run->rig->tile.faults.count == 0);
    if (equal && retired)
        equal = memcmp(m->v, hart->v, sizeof m->v) == 0 && memcmp(m->x, hart->x, sizeof m->x) == 0 &&
                memcmp(m->f, hart->f, sizeof m->f) == 0 && m->vl == hart->csr.word[TF_CSR_VL] &&
                m->vtype == hart->csr.word[TF_CSR_VTYPE] && m->vxsat == hart->csr.word[TF_CSR_VXSAT] &&
                m->fflags == hart->csr.word[TF_CSR_FCSR];
    const uint8_t *window = run->rig->tile.l1 + WINDOW;
    if (!equal || (retired && (word & 0x7f) == 0x27 && memcmp(window, model_memory + WINDOW, WINDOW_BYTES) != 0)) {
        complain(run, word, csr);
        fail_msg("retired %d, in the model %d", retired, wanted);
    }
    if (!retired) {
        memcpy(model_memory + WINDOW, window, WINDOW_BYTES);
        /* no register changes where the encoding is refused */
        if ((word & 0x7f) == 0x57)
            assert_memory_equal(run->model.x, hart->x, sizeof hart->x - 4);
    }
    return retired;
}

/* A register that often begins a group. */
static uint32_t reg(struct run *run)
{
    return below(run, 32) & ~((1u << below(run, 4)) - 1);
}

static uint32_t arithmetic_word(struct run *run, const struct tf_v_info *info)
{
    unsigned form;
    do
        form = below(run, 7);
    while (!(info->forms >> form & 1));
    uint32_t vs1 = form <= TF_V_MVV ? reg(run) : below(run, 32), vs2 = reg(run), vm = below(run, 2);
    if (info->select != TF_V_ANY)
        *(info->flags & TF_V_SELECT2 ? &vs2 : &vs1) = info->select;
    if (info->flags & (TF_V_WITH_MASK | TF_V_NO_MASK))
        vm = info->flags & TF_V_NO_MASK ? 1 : 0;
    if (info == tf_v_info(TF_V_VID_V))
        vs2 = 0;
    return (uint32_t)info->funct6 << 26 | vm << 25 | vs2 << 20 | vs1 << 15 | form << 12 | reg(run) << 7 | 0x57;
}

static uint32_t memory_word(struct run *run, const struct tf_v_info *info)
{
    static const uint8_t widths[] = {0, 5, 6};
    uint32_t width = widths[below(run, 3)], nf = below(run, 2) ? 0 : below(run, 8), vm = below(run, 2);
    uint32_t rs2 = info->select != TF_V_ANY ? info->select : reg(run), rs1 = 1 + below(run, 31);
    if (info->shape == TF_V_WHOLE || info->shape == TF_V_BITS) {
        vm = 1;
        nf = info->shape == TF_V_BITS ? 0 : (1u << below(run, 4)) - 1;
        width = info->shape == TF_V_BITS || info->flags & TF_V_IS_STORE ? 0 : width;
    }
    if (info->shape == TF_V_INDEXED)
        random_offsets(run, width == 0 ? 8 : width == 5 ? 16 : 32);
    if (info->shape == TF_V_STRIDED)
        run->hart->x[rs2] = rs2 == 0 ? 0 : (below(run, 33) - 16) * 4;
    run->hart->x[rs1] = MIDDLE + below(run, 64) * 4 + (below(run, 30) == 0);
    if (below(run, 30) == 0)
        run->hart->x[rs1] = RIG_L1_BYTES - 4 * below(run, 8); /* the end of memory */
    return nf << 29 | (uint32_t)info->funct6 << 26 | vm << 25 | rs2 << 20 | rs1 << 15 | width << 12 | reg(run) << 7 |
           (info->flags & TF_V_IS_STORE ? 0x27 : 0x07);
}

static uint32_t config_word(struct run *run, unsigned id)
{
    uint32_t vtype = below(run, 3) | below(run, 3) << 3 | below(run, 4) << 6, rd = below(run, 3), rs1 = below(run, 4);
    if (below(run, 4) == 0)
        vtype = below(run, 0x400);
    if (id == TF_V_VSETVL) {
        run->hart->x[5] = vtype;
        return 0x80007057 | 5 << 20 | rs1 << 15 | rd << 7;
    }
    if (id == TF_V_VSETIVLI)
        return 0xc0007057 | vtype << 20 | below(run, 32) << 15 | rd << 7;
    return 0x00007057 | vtype << 20 | rs1 << 15 | rd << 7;
}

static uint32_t word_of(struct run *run, unsigned id)
{
    const struct tf_v_info *info = tf_v_info(id);
    if (info->shape == TF_V_CONFIG)
        return config_word(run, id);
    return id >= TF_V_FIRST_MEMORY ? memory_word(run, info) : arithmetic_word(run, info);
}

static int begin(void **state)
{
    static struct run run;
    static const uint32_t nothing[] = {EBREAK};
    memset(&run, 0, sizeof run);
    run.rig = rig_new(NULL, true);
    run.hart = rig_start(run.rig, TF_CORE_T2, nothing, 1);
    run.model.memory = model_memory;
    run.model.memory_bytes = RIG_L1_BYTES;
    run.random = run.seed = test_seed(1);
    for (uint32_t i = 0; i < WINDOW_BYTES; i += 4)
        rig_set(run.rig, WINDOW + i, test_random(&run.random));
    memcpy(model_memory, run.rig->tile.l1, sizeof model_memory);
    *state = &run;
    return 0;
}

static int end(void **state)
{
    rig_free(((struct run *)*state)->rig);
    return 0;
}

/* Each instruction occurs in at least 100 forms that retire. Instructions that T2 lacks never retire. */
static void every_instruction(void **state)
{
    struct run *run = *state;
    for (unsigned id = 0; id < TF_V_COUNT; id++) {
        bool exists = tf_v_info(id)->sews != 0 && tf_v_info(id)->sews != TF_V_SEW_NONE;
        unsigned retired = 0;
        for (unsigned i = 0; i < 20000 && (exists ? retired < 200 : i < 200); i++) {
            random_registers(run);
            random_csrs(run);
            uint32_t word = word_of(run, id);
            assert_int_equal(tf_v_find(word), id);
            retired += compare(run, word);
        }
        if (exists && retired < 100)
            fail_msg("%s retired %u times", tf_v_info(id)->mnemonic, retired);
        if (!exists)
            assert_int_equal(retired, 0);
    }
}

static void random_words(void **state)
{
    struct run *run = *state;
    static const uint8_t opcodes[] = {0x57, 0x57, 0x57, 0x57, 0x07, 0x27};
    unsigned retired = 0;
    for (unsigned i = 0; i < 100000; i++) {
        if (i % 16 == 0)
            random_registers(run);
        random_csrs(run);
        uint32_t word = (test_random(&run->random) & ~0x7fu) | opcodes[below(run, 6)], width = word >> 12 & 7;
        if ((word & 0x7f) != 0x57 && width >= 1 && width <= 4)
            continue; /* scalar */
        retired += compare(run, word);
    }
    assert_true(retired > 1000);
}

/* Programs: an instruction works on the results of earlier ones. */
static void random_programs(void **state)
{
    struct run *run = *state;
    for (unsigned program = 0; program < 300; program++) {
        random_registers(run);
        random_csrs(run);
        for (unsigned i = 0; i < 60; i++) {
            if (!compare(run, word_of(run, below(run, TF_V_COUNT)))) {
                memcpy(run->hart->v, run->model.v, TF_V_FILE_BYTES);
                random_csrs(run);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_instruction, begin, end),
        cmocka_unit_test_setup_teardown(random_words, begin, end),
        cmocka_unit_test_setup_teardown(random_programs, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
