/* SPDX-License-Identifier: Apache-2.0 */
/* Vector instructions in programs. The results given here follow the words of RISC-V V 1.0 and of T2's pages. */
#include "rig.h"

#include <stdio.h>
#include <string.h>

#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/isa/v.h"

/* A small assembler: OP-V of a form, and loads and stores. vm 1: unmasked. */
#define OPV(f6, vm, vs2, vs1, form, vd) \
    ((uint32_t)(f6) << 26 | (vm) << 25 | (vs2) << 20 | ((vs1)&31u) << 15 | (form) << 12 | (vd) << 7 | 0x57)
#define VADD_VV(vd, vs2, vs1, vm) OPV(0, vm, vs2, vs1, TF_V_IVV, vd)
#define VADD_VI(vd, vs2, imm, vm) OPV(0, vm, vs2, imm, TF_V_IVI, vd)
#define VADD_VX(vd, vs2, rs1, vm) OPV(0, vm, vs2, rs1, TF_V_IVX, vd)
#define VMV_VI(vd, imm) OPV(0x17, 1, 0, imm, TF_V_IVI, vd)
#define VID(vd) OPV(0x14, 1, 0, 17, TF_V_MVV, vd)
#define VMSLTU_VX(vd, vs2, rs1) OPV(0x1a, 1, vs2, rs1, TF_V_IVX, vd)
#define VMV_X_S(rd, vs2) OPV(0x10, 1, vs2, 0, TF_V_MVV, rd)
#define VSETVLI(rd, rs1, vtype) ((uint32_t)(vtype) << 20 | (rs1) << 15 | 7 << 12 | (rd) << 7 | 0x57)
#define VMEM(opcode, nf, mop, vm, rs2, rs1, width, vd)                                                     \
    ((uint32_t)((nf)-1) << 29 | (uint32_t)(mop) << 26 | (uint32_t)(vm) << 25 | (rs2) << 20 | (rs1) << 15 | \
     (width) << 12 | (vd) << 7 | (opcode))
#define LOAD 0x07u
#define STORE 0x27u
#define W8 0u
#define W16 5u
#define W32 6u
#define VLE32(vd, rs1) VMEM(LOAD, 1, 0, 1, 0, rs1, W32, vd)
#define VSE32(vs3, rs1) VMEM(STORE, 1, 0, 1, 0, rs1, W32, vs3)
#define CSRRW(rd, csr, rs1) rig_i(0x73, 1, rd, rs1, csr)

enum { VSTART = 0x008, VCSR = 0x00f, VXSAT = 0x009, VXRM = 0x00a, VL = 0xc20, VTYPE = 0xc21, VLENB = 0xc22 };

/* vtype: E8..E32 with M1..M8, and fractions. */
#define E8 (0u << 3)
#define E16 (1u << 3)
#define E32 (2u << 3)
enum { M1, M2, M4, M8, MF8 = 5, MF4, MF2, TA = 0x40, MA = 0x80 };

struct program {
    struct rig *rig;
    struct tf_hart *hart;
};

/* Run words on T2, up to an ebreak after them or a fault; x8 is 0, x9 10, x10 0x11223344, x11 -1. */
static void run_words(struct program *p, const uint32_t *words, size_t count)
{
    uint32_t code[64];
    memcpy(code, words, count * 4);
    code[count] = EBREAK;
    p->rig->tile.faults.count = 0;
    uint64_t cycle = p->hart->cycle;
    uint32_t kept[TF_CSR_WORDS];
    uint8_t v[TF_V_FILE_BYTES];
    memcpy(kept, p->hart->csr.word, sizeof kept);
    memcpy(v, p->hart->v, sizeof v);
    bool written = p->hart->v_written;
    p->hart = rig_start(p->rig, TF_CORE_T2, code, count + 1);
    memcpy(p->hart->csr.word, kept, sizeof kept);
    memcpy(p->hart->v, v, sizeof v);
    p->hart->v_written = written;
    p->hart->x[9] = 10;
    p->hart->x[10] = 0x11223344;
    p->hart->x[11] = ~0u;
    rig_turn(p->rig, p->hart, cycle + 200);
}

#define RUN(p, ...)                                             \
    do {                                                        \
        const uint32_t words_[] = {__VA_ARGS__};                \
        run_words(p, words_, sizeof words_ / sizeof words_[0]); \
        assert_int_equal((p)->rig->tile.faults.count, 0);       \
        assert_int_equal((p)->hart->state, TF_CORE_PAUSED);     \
    } while (0)

#define REFUSES(p, sentence, ...)                                           \
    do {                                                                    \
        const uint32_t words_[] = {__VA_ARGS__};                            \
        run_words(p, words_, sizeof words_ / sizeof words_[0]);             \
        assert_int_equal((p)->rig->tile.faults.count, 1);                   \
        assert_string_equal((p)->rig->tile.faults.entry[0].text, sentence); \
        assert_int_equal((p)->rig->tile.faults.entry[0].core, TF_CORE_T2);  \
        assert_int_equal((p)->hart->state, TF_CORE_FAULTED);                \
        assert_int_equal((p)->rig->tile.faults.entry[0].pc, (p)->hart->pc); \
    } while (0)

static int begin(void **state)
{
    static struct program program;
    static const uint32_t nothing[] = {EBREAK};
    program.rig = rig_new(NULL, true);
    program.hart = rig_start(program.rig, TF_CORE_T2, nothing, 1);
    *state = &program;
    return 0;
}

static int end(void **state)
{
    rig_free(((struct program *)*state)->rig);
    return 0;
}

static uint32_t lane(const struct program *p, unsigned reg, unsigned bytes, unsigned index)
{
    uint32_t value = 0;
    memcpy(&value, p->hart->v + 16 * reg + bytes * index, bytes);
    return value;
}

/* VLMAX is 16 bytes times LMUL over SEW; vl is the lesser of VLMAX and AVL. */
static void lengths(void **state)
{
    struct program *p = *state;
    static const struct {
        uint8_t vtype, vlmax;
    } cases[] = {
        {E8 | M1, 16}, {E8 | M2, 32},  {E8 | M4, 64}, {E8 | M8, 128}, {E16 | M1, 8},  {E16 | M8, 64}, {E32 | M1, 4},
        {E32 | M2, 8}, {E32 | M8, 32}, {E8 | MF2, 8}, {E8 | MF4, 4},  {E16 | MF2, 4}, {E32 | TA, 4},  {E32 | MA, 4},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RUN(p, VSETVLI(5, 0, cases[i].vtype), CSRR(6, VL), CSRR(12, VTYPE));
        assert_int_equal(p->hart->x[5], cases[i].vlmax);
        assert_int_equal(p->hart->x[6], cases[i].vlmax);
        assert_int_equal(p->hart->x[12], cases[i].vtype);
        RUN(p, VSETVLI(5, 9, cases[i].vtype), VSETVLI(6, 11, cases[i].vtype), VSETVLI(12, 9, cases[i].vtype));
        assert_int_equal(p->hart->x[5], cases[i].vlmax < 10 ? cases[i].vlmax : 10);
        assert_int_equal(p->hart->x[6], cases[i].vlmax);
    }
    RUN(p, 0xc0007057 | (E32 | M4) << 20 | 7 << 15 | 5 << 7 /* vsetivli x5, 7 */, VSETVLI(0, 0, E16 | M2), CSRR(6, VL));
    assert_int_equal(p->hart->x[5], 7);
    assert_int_equal(p->hart->x[6], 7); /* x0, x0 keeps vl */
    REFUSES(p, "vsetvli: this form keeps vl, but VLMAX would change", VSETVLI(0, 0, E16 | M1));
    REFUSES(p, "vsetvli: vtype 0x18 is not supported, and there is no vill to report it", VSETVLI(5, 9, 3 << 3));
    REFUSES(p, "vsetvli: vtype 0x5 is not supported, and there is no vill to report it", VSETVLI(5, 9, E8 | MF8));
    REFUSES(p, "vsetvli: vtype 0x17 is not supported, and there is no vill to report it", VSETVLI(5, 9, E32 | MF2));
    REFUSES(p, "vsetvli: vtype 0x4 is not supported, and there is no vill to report it", VSETVLI(5, 9, 4));
    REFUSES(p, "vsetvli: vtype 0x110 is not supported, and there is no vill to report it", VSETVLI(5, 9, 0x110));
}

/* CSRs.md: vstart is 0 for ever, vl and vtype are writable, vlenb keeps what is written, vcsr is not there. */
static void csrs(void **state)
{
    struct program *p = *state;
    RUN(p, CSRRW(0, VSTART, 9), CSRR(5, VSTART), CSRR(6, VLENB), CSRRW(0, VLENB, 9), CSRR(12, VLENB),
        VSETVLI(13, 0, E8), CSRR(14, 0x300), CSRR(15, 0x301));
    assert_int_equal(p->hart->x[5], 0);
    assert_int_equal(p->hart->x[6], 16);
    assert_int_equal(p->hart->x[12], 10);
    assert_int_equal(p->hart->x[13], 16); /* written vlenb has no effect */
    assert_int_equal(p->hart->x[14], 0x80006600);
    assert_int_equal(p->hart->x[15], 0x40201123);
    RUN(p, VSETVLI(0, 11, E32 | M1), ADDI(5, 0, 2), CSRRW(0, VL, 5), VMV_VI(1, 5), ADDI(5, 0, E16), CSRRW(0, VTYPE, 5),
        VMV_VI(2, 7));
    assert_int_equal(lane(p, 1, 4, 1), 5);
    assert_int_equal(lane(p, 1, 4, 2), 0);
    assert_int_equal(lane(p, 2, 4, 0), 0x00070007);
    assert_int_equal(lane(p, 2, 4, 1), 0);
    REFUSES(p, "vadd.vv: vl is 10, more than VLMAX 8", CSRRW(0, VL, 9), VADD_VV(1, 1, 1, 1));
    REFUSES(p, "vadd.vv: vtype 0xff is not supported", CSRRW(0, VTYPE, 11), VADD_VV(1, 1, 1, 1));
    REFUSES(p, "there is no CSR 0x00f", CSRR(5, VCSR));
    /* vxsat: set by saturation, kept until written */
    RUN(p, VSETVLI(0, 11, E8), VMV_VI(1, -1), OPV(0x20, 1, 1, 1, TF_V_IVI, 2) /* vsaddu.vi */, CSRR(5, VXSAT),
        VADD_VI(3, 1, 1, 1), CSRR(6, VXSAT), CSRRW(0, VXSAT, 0), CSRR(12, VXSAT), CSRRW(0, VXRM, 11), CSRR(13, VXRM));
    assert_int_equal(lane(p, 2, 1, 15), 0xff);
    assert_int_equal(p->hart->x[5], 1);
    assert_int_equal(p->hart->x[6], 1);
    assert_int_equal(p->hart->x[12], 0);
    assert_int_equal(p->hart->x[13], 3);
}

/* Tail and masked-off elements stay, with vta and vma set, too: "undisturbed" always. */
static void undisturbed(void **state)
{
    struct program *p = *state;
    for (unsigned policy = 0; policy < 4; policy++) {
        RUN(p, VSETVLI(0, 11, E32 | M2), VMV_VI(2, -1), VMV_VI(4, -1), VID(6), ADDI(5, 0, 5),
            VSETVLI(0, 5, E32 | M2 | policy << 6), OPV(0x19, 1, 6, 3, TF_V_IVI, 0) /* vmsne.vi v0, v6, 3 */,
            VADD_VI(2, 6, 1, 0), VADD_VI(4, 6, 1, 1));
        static const uint32_t masked[8] = {1, 2, 3, ~0u, 5, ~0u, ~0u, ~0u}, tail[8] = {1, 2, 3, 4, 5, ~0u, ~0u, ~0u};
        for (unsigned i = 0; i < 8; i++) {
            assert_int_equal(lane(p, 2, 4, i), masked[i]);
            assert_int_equal(lane(p, 4, 4, i), tail[i]);
        }
    }
    /* the tail of a mask stays, too; and vl 0 changes nothing but an x register */
    RUN(p, VSETVLI(0, 11, E8), VMV_VI(1, -1), VMV_VI(2, 1), ADDI(5, 0, 3), VSETVLI(0, 5, E8), VMSLTU_VX(1, 2, 0));
    assert_int_equal(lane(p, 1, 4, 0), 0xfffffff8);
    RUN(p, VSETVLI(5, 11, E8), VMV_VI(2, 9), VMV_VI(1, 1), ADDI(5, 0, 0), 0xc0007057 | E8 << 20 /* vsetivli 0 */,
        VADD_VI(2, 2, 1, 1), OPV(0, 1, 2, 2, TF_V_MVV, 1) /* vredsum.vs */,
        OPV(0x10, 1, 0, 9, TF_V_MVX, 2) /* vmv.s.x */, VMV_X_S(12, 2),
        OPV(0x10, 1, 2, 17, TF_V_MVV, 13) /* vfirst.m */);
    assert_int_equal(lane(p, 2, 4, 0), 0x09090909);
    assert_int_equal(lane(p, 1, 4, 0), 0x01010101);
    assert_int_equal(p->hart->x[12], 9);
    assert_int_equal(p->hart->x[13], ~0u);
}

static void groups(void **state)
{
    struct program *p = *state;
    /* v8..v15 of bytes; each is its number */
    RUN(p, VSETVLI(0, 11, E8 | M8), VID(8), VADD_VX(16, 8, 9, 1));
    for (unsigned i = 0; i < 128; i++)
        assert_int_equal(lane(p, 16, 1, i), i + 10);
    REFUSES(p, "vadd.vv: v4 does not begin a group of 8 registers", VADD_VV(4, 8, 16, 1));
    REFUSES(p, "vadd.vv: v12 does not begin a group of 8 registers", VADD_VV(8, 12, 16, 1));
    REFUSES(p, "vadd.vv: the destination overlaps the mask v0", VADD_VV(0, 8, 16, 0));
    REFUSES(p, "vwaddu.vv: a group of 16-bit elements would have more than 8 registers",
            OPV(0x30, 1, 8, 16, TF_V_MVV, 0));
    /* a wide result: over the upper half of its group, not the lower one */
    RUN(p, VSETVLI(0, 11, E8 | M1), VID(3), OPV(0x38, 1, 3, 3, TF_V_MVV, 2) /* vwmulu.vv v2, v3, v3 */);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(lane(p, 2, 2, i), i * i);
    REFUSES(p, "vwmulu.vv: the destination v2 overlaps the source v2", OPV(0x38, 1, 2, 3, TF_V_MVV, 2));
    /* a narrow one: over the lower register */
    RUN(p, VSETVLI(0, 11, E16 | M2), VID(4), VSETVLI(0, 11, E8 | M1), OPV(0x2c, 1, 4, 0, TF_V_IVI, 4) /* vnsrl.wi */);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(lane(p, 4, 1, i), i);
    REFUSES(p, "vnsrl.wi: the destination v5 overlaps the source v4", OPV(0x2c, 1, 4, 0, TF_V_IVI, 5));
    REFUSES(p, "vrgather.vv: the destination v2 overlaps the source v2", OPV(0x0c, 1, 2, 3, TF_V_IVV, 2));
}

static void absent(void **state)
{
    struct program *p = *state;
    static const struct {
        uint8_t f6, vs1, form;
        const char *name;
    } lacking[] = {
        {0x20, 1, TF_V_MVV, "vdivu.vv"}, {0x21, 1, TF_V_MVX, "vdiv.vx"},    {0x22, 1, TF_V_MVV, "vremu.vv"},
        {0x23, 1, TF_V_MVX, "vrem.vx"},  {0x20, 1, TF_V_FVV, "vfdiv.vv"},   {0x21, 1, TF_V_FVF, "vfrdiv.vf"},
        {0x13, 0, TF_V_FVV, "vfsqrt.v"}, {0x13, 4, TF_V_FVV, "vfrsqrt7.v"}, {0x13, 5, TF_V_FVV, "vfrec7.v"},
    };
    for (unsigned i = 0; i < sizeof lacking / sizeof lacking[0]; i++) {
        char sentence[80];
        snprintf(sentence, sizeof sentence, "%s: T2 does not have this vector instruction", lacking[i].name);
        REFUSES(p, sentence, VSETVLI(0, 11, E32), OPV(lacking[i].f6, 1, 2, lacking[i].vs1, lacking[i].form, 4));
    }
    REFUSES(p, "vfadd.vv: reserved for elements of 16 bits", VSETVLI(0, 11, E16), OPV(0, 1, 2, 3, TF_V_FVV, 4));
    REFUSES(p, "vwadd.vv: reserved for elements of 32 bits", VSETVLI(0, 11, E32), OPV(0x31, 1, 2, 3, TF_V_MVV, 4));
    REFUSES(p, "vle64.v: elements of 64 bits are not supported", VMEM(LOAD, 1, 0, 1, 0, 7, 7u, 4));
    REFUSES(p, "illegal instruction: this core of Rig does not have it", OPV(1, 1, 2, 3, TF_V_IVV, 4));
    REFUSES(p, "illegal instruction: this core of Rig does not have it",
            OPV(0x10, 1, 2, 3, TF_V_IVV, 4)); /* vadc without its mask */
}

static void memory(void **state)
{
    struct program *p = *state;
    for (uint32_t i = 0; i < 64; i++)
        rig_set(p->rig, RIG_DATA + 4 * i, 0x01000000 * i + i);
    /* unit stride through local RAM and back to L1 */
    RUN(p, VSETVLI(0, 11, E32 | M4), VLE32(4, 7), VSE32(4, 3), VMV_VI(4, 0), VLE32(8, 3), ADDI(5, 7, 1024),
        VSE32(8, 5));
    for (uint32_t i = 0; i < 16; i++) {
        assert_int_equal(rig_word(p->rig, RIG_DATA + 1024 + 4 * i), 0x01000000 * i + i);
        assert_memory_equal(p->hart->local + 4 * i, p->rig->tile.l1 + RIG_DATA + 4 * i, 4);
    }
    /* strides of 8, -4 and 0 */
    RUN(p, VSETVLI(0, 11, E32), ADDI(5, 0, 8), VMEM(LOAD, 1, 2, 1, 5, 7, W32, 4), ADDI(5, 0, -4), ADDI(6, 7, 40),
        VMEM(LOAD, 1, 2, 1, 5, 6, W32, 5), VMEM(LOAD, 1, 2, 1, 0, 6, W32, 6));
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(lane(p, 4, 1, 4 * i), 2 * i);
        assert_int_equal(lane(p, 5, 1, 4 * i), 10 - i);
        assert_int_equal(lane(p, 6, 1, 4 * i), 10);
    }
    /* three fields of bytes, stored again as words of 16 bits by an index */
    RUN(p, VSETVLI(0, 9, E8), VMEM(LOAD, 3, 0, 1, 0, 7, W8, 8));
    for (unsigned i = 0; i < 30; i++)
        assert_int_equal(lane(p, 8 + i % 3, 1, i / 3), p->rig->tile.l1[RIG_DATA + i]);
    RUN(p, VSETVLI(0, 11, E16), VID(2), OPV(0x25, 1, 2, 4, TF_V_IVI, 2) /* vsll.vi v2, v2, 4 */, ADDI(5, 7, 1024),
        VMEM(STORE, 2, 1, 1, 2, 5, W16, 8));
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(p->rig->tile.l1[RIG_DATA + 1024 + 16 * i], lane(p, 8, 1, 2 * i));
        assert_int_equal(p->rig->tile.l1[RIG_DATA + 1024 + 16 * i + 2], lane(p, 9, 1, 2 * i));
    }
    /* whole registers need no vtype that fits; masks are bytes */
    RUN(p, VMEM(LOAD, 8, 0, 1, 8, 7, W32, 16), ADDI(5, 7, 1024), VMEM(STORE, 4, 0, 1, 8, 5, W8, 20));
    assert_memory_equal(p->hart->v + 16 * 16, p->rig->tile.l1 + RIG_DATA, 128);
    assert_memory_equal(p->rig->tile.l1 + RIG_DATA + 1024, p->rig->tile.l1 + RIG_DATA + 64, 64);
    RUN(p, VMV_VI(1, -1), VSETVLI(0, 9, E8), VMEM(LOAD, 1, 0, 1, 11, 7, W8, 1));
    assert_int_equal(lane(p, 1, 4, 0), 0xffff0000); /* 10 bits: 2 bytes */
}

static void bad_memory(void **state)
{
    struct program *p = *state;
    REFUSES(p, "misaligned vector element", VSETVLI(0, 11, E32), ADDI(7, 7, 2), VLE32(4, 7));
    assert_int_equal(p->rig->tile.faults.entry[0].address, RIG_DATA + 2);
    RUN(p, VSETVLI(0, 11, E32), ADDI(7, 7, 1), VMEM(LOAD, 1, 0, 1, 0, 7, W8, 4));
    REFUSES(p, "vector access outside L1 and local RAM", VLE32(4, 4)); /* registers */
    assert_int_equal(p->rig->tile.faults.entry[0].address, RIG_PURE);
    assert_int_equal(p->rig->device.loads, 0);
    REFUSES(p, "vector access outside L1 and local RAM", LUI(5, 0x22), ADDI(5, 5, -8), VSETVLI(0, 11, E32),
            VSE32(4, 5));
    assert_int_equal(p->rig->tile.faults.entry[0].address, RIG_L1_BYTES);
    /* fault-only-first: vl becomes the number of elements that are there; the first must be */
    RUN(p, LUI(5, 0x22), ADDI(5, 5, -8), VSETVLI(0, 11, E32), VMEM(LOAD, 1, 0, 1, 16, 5, W32, 4), CSRR(6, VL));
    assert_int_equal(p->hart->x[6], 2);
    REFUSES(p, "vector access outside L1 and local RAM", LUI(5, 0x22), VMEM(LOAD, 1, 0, 1, 16, 5, W32, 4));
    /* what is masked off is not accessed */
    RUN(p, VSETVLI(0, 11, E32), VMV_VI(0, 0), VMEM(LOAD, 1, 0, 0, 0, 4, W32, 4));
    REFUSES(p, "vlseg5e32.v: 5 fields of 2 registers from v4", VSETVLI(0, 11, E32 | M2),
            VMEM(LOAD, 5, 0, 1, 0, 7, W32, 4));
    REFUSES(p, "vlseg4e32.v: 4 fields of 2 registers from v26", VMEM(LOAD, 4, 0, 1, 0, 7, W32, 26));
}

/* A vector store to code is seen by the next fetch. */
static void stores_to_code(void **state)
{
    struct program *p = *state;
    rig_set(p->rig, RIG_DATA, ADDI(12, 0, 77));
    RUN(p, AUIPC(5, 0), VSETVLI(0, 9, E32), ADDI(6, 0, 1), VSETVLI(0, 6, E32), VLE32(4, 7), ADDI(5, 5, 32), VSE32(4, 5),
        ADDI(0, 0, 0), ADDI(12, 0, 1));
    assert_int_equal(p->hart->x[12], 77);
}

/* Vector registers are state once written: before that, hashes are what they were; a reset clears them. */
static void hash_and_reset(void **state)
{
    struct program *p = *state;
    rig_set(p->rig, RIG_DATA, 1);
    assert_false(p->hart->v_written);
    RUN(p, VSETVLI(5, 9, E32));
    assert_false(p->hart->v_written);
    uint64_t before = rig_hash(p->rig);
    uint8_t v[TF_V_FILE_BYTES];
    memcpy(v, p->hart->v, sizeof v);
    p->hart->v[17] = 1; /* an error: no instruction has written it */
    assert_int_equal(rig_hash(p->rig), before);
    p->hart->v_written = true;
    uint64_t with_1 = rig_hash(p->rig);
    assert_int_not_equal(with_1, before);
    p->hart->v[17] = 2;
    assert_int_not_equal(rig_hash(p->rig), with_1);
    RUN(p, VMV_VI(1, 3));
    assert_true(p->hart->v_written);
    tf_hart_reset(&p->rig->tile, p->hart);
    assert_false(p->hart->v_written);
    for (unsigned i = 0; i < TF_V_FILE_BYTES; i++)
        assert_int_equal(p->hart->v[i], 0);
}

/* Floating point raises the flags of fcsr. Masked-off elements raise none. */
static void flags(void **state)
{
    struct program *p = *state;
    rig_set(p->rig, RIG_DATA, 0x7f800000);     /* infinity */
    rig_set(p->rig, RIG_DATA + 4, 0xff800000); /* minus infinity */
    RUN(p, VSETVLI(0, 11, E32), VLE32(4, 7), OPV(0x0f, 1, 4, 1, TF_V_IVI, 5) /* vslidedown.vi v5, v4, 1 */,
        VMV_VI(0, 14), CSRR(5, 0x003), OPV(0, 0, 4, 5, TF_V_FVV, 6) /* vfadd.vv, masked */, CSRR(6, 0x003),
        OPV(0, 1, 4, 5, TF_V_FVV, 6), CSRR(12, 0x003));
    assert_int_equal(p->hart->x[5], 0);
    assert_int_equal(p->hart->x[6], 0);
    assert_int_equal(p->hart->x[12], 0x10);
    assert_int_equal(lane(p, 6, 4, 0), 0x7fc00000);
}

/* A debugger's watch gets the range of memory from the first byte to the last one. */
static void watched(void **state)
{
    struct program *p = *state;
    const struct {
        uint32_t word, address, bytes;
        bool store;
    } cases[] = {
        {VLE32(4, 7), RIG_DATA, 16, false},
        {VMEM(STORE, 2, 0, 1, 0, 7, W32, 4), RIG_DATA, 32, true},
        {VMEM(LOAD, 1, 2, 1, 9, 7, W8, 4), RIG_DATA, 31, false}, /* stride 10 */
        {VMEM(STORE, 2, 0, 1, 8, 7, W8, 4), RIG_DATA, 32, true},
        {VADD_VV(4, 4, 4, 1), 0, 0, false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RUN(p, VSETVLI(0, 11, E32));
        const uint32_t code[] = {cases[i].word, EBREAK};
        uint32_t vl = p->hart->csr.word[TF_CSR_VL], vtype = p->hart->csr.word[TF_CSR_VTYPE];
        p->hart = rig_start(p->rig, TF_CORE_T2, code, 2);
        p->hart->csr.word[TF_CSR_VL] = vl;
        p->hart->csr.word[TF_CSR_VTYPE] = vtype;
        p->hart->x[9] = 10;
        p->rig->device.pause_behind = RIG_CODE;
        tf_hart_watch(p->hart, true);
        rig_turn(p->rig, p->hart, p->hart->cycle + 10);
        const struct tf_retired *did = &p->rig->device.last_retired;
        assert_int_equal(did->address, cases[i].address);
        assert_int_equal(did->bytes, cases[i].bytes);
        assert_int_equal(did->stores, cases[i].store);
        assert_int_equal(did->loads, cases[i].bytes != 0 && !cases[i].store);
        tf_hart_watch(p->hart, false);
        p->rig->device.pause_behind = 0;
    }
}

/* A loop with a vector instruction is executed each time, even if it changes little. A poll after it parks. */
static void parking(void **state)
{
    struct program *p = *state;
    const uint32_t spins[] = {VSETVLI(0, 0, 0), VADD_VI(1, 1, 1, 1), JAL(0, -4)};
    struct tf_hart *hart = rig_start(p->rig, TF_CORE_T2, spins, 3);
    hart->csr.word[TF_CSR_VL] = 16;
    uint64_t start = hart->cycle;
    for (unsigned i = 1; i <= 40; i++)
        rig_turn(p->rig, hart, start + 100 * i);
    assert_int_equal(hart->state, TF_CORE_RUNNING);
    assert_int_equal(lane(p, 1, 1, 0), (hart->instret - 1 + (hart->pc == RIG_CODE + 8)) / 2 & 0xff);
    const uint32_t polls[] = {VSETVLI(5, 9, E8), LW(6, 7, 0), CSRR(12, VL), BEQ(6, 0, -8), VMV_X_S(5, 1), EBREAK};
    hart = rig_start(p->rig, TF_CORE_T2, polls, 6);
    hart->x[9] = 10;
    rig_set(p->rig, RIG_DATA, 0);
    start = hart->cycle;
    for (unsigned i = 1; i <= 40; i++)
        rig_turn(p->rig, hart, start + 100 * i);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    rig_set(p->rig, RIG_DATA, 1);
    for (unsigned i = 41; i <= 45; i++)
        rig_turn(p->rig, hart, start + 100 * i);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    assert_int_equal(hart->x[12], 10);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(lengths),    TEST(csrs),           TEST(undisturbed),    TEST(groups), TEST(absent),  TEST(memory),
        TEST(bad_memory), TEST(stores_to_code), TEST(hash_and_reset), TEST(flags),  TEST(watched), TEST(parking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
