/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/isa/vfind.h"

#include "tile/riscv/isa/v.h"

#include <stddef.h>

enum {
    I_V = 1 << TF_V_IVV,
    I_I = 1 << TF_V_IVI,
    I_VX = 1 << TF_V_IVV | 1 << TF_V_IVX,
    I_XI = 1 << TF_V_IVX | 1 << TF_V_IVI,
    I_VXI = I_VX | I_XI,
    M_V = 1 << TF_V_MVV,
    M_X = 1 << TF_V_MVX,
    M_VX = M_V | M_X,
    F_V = 1 << TF_V_FVV,
    F_F = 1 << TF_V_FVF,
    F_VF = F_V | F_F,
    CFG = 1 << TF_V_CFG,
};

enum { E16 = 16, E32 = 32, E8_16 = 8 | 16, E16_32 = 16 | 32, ALL = 8 | 16 | 32, NONE = 0, NO_SEW = TF_V_SEW_NONE };

enum {
    UIMM = TF_V_UIMM,
    WITH_MASK = TF_V_WITH_MASK,
    NO_MASK = TF_V_NO_MASK,
    SELECT2 = TF_V_SELECT2,
    SWAPPED = TF_V_SWAPPED,
    TO_X = TF_V_TO_X,
    TO_F = TF_V_TO_F,
    LOAD = 0,
    STORE = TF_V_IS_STORE,
    ANY = TF_V_ANY,
};

static const struct tf_v_info infos[TF_V_COUNT] = {
#define V(id, mnemonic, forms, funct6, select, shape, sews, flags) \
    [TF_V_##id] = {mnemonic, forms, funct6, select, TF_V_##shape, sews, flags},
#define VM(id, mnemonic, kind, mop, lumop, shape) [TF_V_##id] = {mnemonic, 0, mop, lumop, TF_V_##shape, ALL, kind},
#include "tile/riscv/isa/v.def"
#undef V
#undef VM
};

const struct tf_v_info *tf_v_info(unsigned id)
{
    return &infos[id];
}

static unsigned find_config(uint32_t word)
{
    if (!(word >> 31))
        return TF_V_VSETVLI;
    if (word >> 30 == 3)
        return TF_V_VSETIVLI;
    return word >> 25 == 0x40 ? TF_V_VSETVL : TF_V_COUNT;
}

static unsigned find_arithmetic(uint32_t word)
{
    unsigned form = word >> 12 & 7, funct6 = word >> 26;
    if (form == TF_V_CFG)
        return find_config(word);
    for (unsigned id = 0; id < TF_V_VSETVLI; id++) {
        const struct tf_v_info *info = &infos[id];
        unsigned field = info->flags & SELECT2 ? word >> 20 & 31 : word >> 15 & 31;
        bool unmasked = word >> 25 & 1;
        if (info->funct6 != funct6 || !(info->forms >> form & 1) || (info->select != ANY && info->select != field) ||
            (info->flags & WITH_MASK && unmasked) || (info->flags & NO_MASK && !unmasked))
            continue;
        /* vid.v has no vs2. */
        return id == TF_V_VID_V && (word >> 20 & 31) != 0 ? (unsigned)TF_V_COUNT : id;
    }
    return TF_V_COUNT;
}

/* Are the fields vm, nf and width valid? The executor refuses widths of 64 bits and more. */
static bool memory_fields(const struct tf_v_info *info, uint32_t word)
{
    unsigned fields = (word >> 29) + 1;
    bool unmasked = word >> 25 & 1;
    if (info->shape == TF_V_WHOLE)
        return unmasked && (fields & (fields - 1)) == 0 && (!(info->flags & STORE) || (word >> 12 & 7) == 0);
    return info->shape != TF_V_BITS || (unmasked && fields == 1 && (word >> 12 & 7) == 0);
}

static unsigned find_memory(uint32_t word, unsigned kind)
{
    unsigned width = word >> 12 & 7, mop = word >> 26 & 3, lumop = word >> 20 & 31;
    if ((width != 0 && width < 5) || word >> 28 & 1)
        return TF_V_COUNT; /* scalar f registers; mew is reserved */
    for (unsigned id = TF_V_FIRST_MEMORY; id < TF_V_COUNT; id++) {
        const struct tf_v_info *info = &infos[id];
        if ((info->flags & STORE) == kind && info->funct6 == mop && (info->select == ANY || info->select == lumop))
            return memory_fields(info, word) ? id : (unsigned)TF_V_COUNT;
    }
    return TF_V_COUNT;
}

unsigned tf_v_find(uint32_t word)
{
    switch (word & 0x7f) {
    case 0x57: return find_arithmetic(word);
    case 0x07: return find_memory(word, LOAD);
    case 0x27: return find_memory(word, STORE);
    default: return TF_V_COUNT;
    }
}
