/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/debug/names.h"

#include <stdio.h>

#include "tile/arch.h"
#include "tile/tensix/isa/disasm.h"
#include "tile/tensix/isa/isa.h"

static const struct tf_config_name names[] = {
#define THREAD_CFG(name, word, first, width) {#name, true, word, first, width},
#define CFG(name, word, first, width) {#name, false, word, first, width},
#define CFG_UNUSED(word, mask)
#include "tile/tensix/config/config.def"
#undef THREAD_CFG
#undef CFG
#undef CFG_UNUSED
};

/* All words of a field with several words have its name. */
static const struct tf_config_name wormhole_names[] = {
#define THREAD_CFG(name, word, first, width) {#name, true, word, first, width},
#define THREAD_CFG_OWN(name, word, first, width) {#name, true, word, first, width},
#define CFG(name, word, first, width) {#name, false, word, first, width},
#define CFG_OWN(name, word, first, width) {#name, false, word, first, width},
#define CFG_MORE(name, word, number) {#name, false, word, 0, 32},
#include "tile/tensix/config/wormhole.def"
#undef THREAD_CFG
#undef THREAD_CFG_OWN
#undef CFG
#undef CFG_OWN
#undef CFG_MORE
};

/* Indexed by table of words (config/family.h). */
static const struct {
    const struct tf_config_arch *config;
    const struct tf_config_name *name;
    size_t count;
} lists[] = {
    {NULL, names, sizeof names / sizeof names[0]},
    {&tf_config_wormhole, wormhole_names, sizeof wormhole_names / sizeof wormhole_names[0]},
};

const struct tf_config_name *tf_config_names(const struct tf_arch *arch, size_t *count)
{
    size_t list = 0;
    while (arch != NULL && list + 1 < sizeof lists / sizeof lists[0] &&
           lists[list].config != arch->tile[TF_TILE_TENSIX].config)
        list++;
    *count = lists[list].count;
    return lists[list].name;
}

static uint32_t bits_of(const struct tf_config_name *name)
{
    return (uint32_t)(((1ull << name->width) - 1) << name->first);
}

/*
 * Write the fields of a family (NULL: Blackhole) that have bits in `mask` of a word, each after a blank: " A=1 B". With
 * `has_value`, a field whose bits are all in `mask` is written with its value. At most bytes - 1 characters and a NUL
 * are written. Returns the length of the whole text.
 */
static int put_names(const struct tf_arch *arch, bool thread, unsigned word, uint32_t mask, bool has_value,
                     uint32_t value, char *text, unsigned bytes)
{
    int length = 0;
    size_t count;
    const struct tf_config_name *list = tf_config_names(arch, &count);
    for (size_t i = 0; i < count; i++) {
        const struct tf_config_name *name = &list[i];
        uint32_t bits = bits_of(name);
        if (name->thread != thread || name->word != word || (bits & mask) == 0)
            continue;
        bool fits = (unsigned)length < bytes;
        char *at = fits ? text + length : NULL;
        unsigned room = fits ? bytes - (unsigned)length : 0;
        if (has_value && (bits & ~mask) == 0)
            length += snprintf(at, room, " %s=0x%x", name->name, (value & bits) >> name->first);
        else
            length += snprintf(at, room, " %s", name->name);
    }
    return length;
}

/* The fields that an instruction names; 0 if it names none. */
static int names_in(const struct tf_arch *arch, uint32_t word, char *text, unsigned bytes)
{
    unsigned opcode = word >> 24, lane = 8 * (opcode - TF_OP_RMWCIB0);
    switch (opcode) {
    case TF_OP_SETC16:
        return put_names(arch, true, TF_FIELD(word, SETC16, setc16_reg), 0xFFFF, true,
                         TF_FIELD(word, SETC16, setc16_value), text, bytes);
    case TF_OP_WRCFG: return put_names(arch, false, TF_FIELD(word, WRCFG, cfg_reg), UINT32_MAX, false, 0, text, bytes);
    case TF_OP_RDCFG: return put_names(arch, false, TF_FIELD(word, RDCFG, cfg_reg), UINT32_MAX, false, 0, text, bytes);
    case TF_OP_STREAMWRCFG:
        return put_names(arch, false, TF_FIELD(word, STREAMWRCFG, cfg_reg), UINT32_MAX, false, 0, text, bytes);
    case TF_OP_CFGSHIFTMASK:
        return put_names(arch, false, TF_FIELD(word, CFGSHIFTMASK, cfg_reg), UINT32_MAX, false, 0, text, bytes);
    case TF_OP_RMWCIB0:
    case TF_OP_RMWCIB1:
    case TF_OP_RMWCIB2:
    case TF_OP_RMWCIB3:
        return put_names(arch, false, TF_FIELD(word, RMWCIB0, cfg_reg_addr), TF_FIELD(word, RMWCIB0, mask) << lane,
                         true, TF_FIELD(word, RMWCIB0, data) << lane, text, bytes);
    default: return 0;
    }
}

int tf_tensix_disassemble_named(const struct tf_arch *arch, uint32_t word, char *text, unsigned bytes)
{
    char named[1024];
    int length = tf_tensix_disassemble_of(arch == NULL ? NULL : &arch->tile[TF_TILE_TENSIX], word, text, bytes);
    if (names_in(arch, word, named, sizeof named) == 0)
        return length;
    bool fits = length >= 0 && (unsigned)length < bytes;
    return length + snprintf(fits ? text + length : NULL, fits ? bytes - (unsigned)length : 0, " #%s", named);
}
