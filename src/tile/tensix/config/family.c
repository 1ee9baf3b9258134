/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/config/family.h"

#include <string.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/config/wormhole.h"
#include "tile/tensix/state.h"

static const struct tf_config_arch blackhole = {
    .words = TF_CFG_WORDS,
    .thcon = TF_CFG_THCON,
    .global = TF_CFG_GLOBAL,
    .state_reset = TF_CFG_WORD(STATE_RESET_EN),
    .thread_words = TF_THREAD_CFG_WORDS,
    .thread_stride = 1,
};

/* Fields that Blackhole lacks only keep their value. */
static const struct tf_cfg_place wormhole_places[] = {
#define CFG(name, word, first, width) {word, first, width, TF_CFG_##name},
#define CFG_OWN(name, word, first, width)
#define CFG_MORE(name, word, number) {word, 0, 32, TF_CFG_##name + ((number) << 16)},
#include "tile/tensix/config/wormhole.def"
#undef CFG
#undef CFG_OWN
#undef CFG_MORE
};

static const struct tf_cfg_place wormhole_thread_places[] = {
#define THREAD_CFG(name, word, first, width) {word, first, width, TF_THREAD_CFG_##name},
#define THREAD_CFG_OWN(name, word, first, width)
#include "tile/tensix/config/wormhole.def"
#undef THREAD_CFG
#undef THREAD_CFG_OWN
};

/* Number the places. */
enum {
#define CFG(name, word, first, width) PLACE_##name,
#define CFG_OWN(name, word, first, width)
#define CFG_MORE(name, word, number) PLACE_##name##_##number,
#include "tile/tensix/config/wormhole.def"
#undef CFG
#undef CFG_OWN
#undef CFG_MORE
#define THREAD_CFG(name, word, first, width) THREAD_PLACE_##name,
#define THREAD_CFG_OWN(name, word, first, width)
    BEFORE_THREAD_PLACES = -1, /* so that they count from 0 */
#include "tile/tensix/config/wormhole.def"
#undef THREAD_CFG
#undef THREAD_CFG_OWN
};

/* The ends of the places of each word. The last place of a word is written last, so its end stays. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const uint16_t wormhole_ends[TF_OWN_CFG_WORDS_MAX] = {
#define CFG(name, word, first, width) [word] = PLACE_##name + 1,
#define CFG_OWN(name, word, first, width)
#define CFG_MORE(name, word, number) [word] = PLACE_##name##_##number + 1,
#include "tile/tensix/config/wormhole.def"
#undef CFG
#undef CFG_OWN
#undef CFG_MORE
};

static const uint16_t wormhole_thread_ends[TF_OWN_THREAD_WORDS_MAX] = {
#define THREAD_CFG(name, word, first, width) [word] = THREAD_PLACE_##name + 1,
#define THREAD_CFG_OWN(name, word, first, width)
#include "tile/tensix/config/wormhole.def"
#undef THREAD_CFG
#undef THREAD_CFG_OWN
};
#pragma GCC diagnostic pop

/* Unused bits, for those words that have a field. */
static const uint32_t wormhole_unused[TF_OWN_CFG_WORDS_MAX] = {
#define CFG_UNUSED(word, mask) [word] = mask,
#include "tile/tensix/config/wormhole.def"
#undef CFG_UNUSED
};

/* On Wormhole, ZEROACC names rows of the whole Dst. */
static const struct tf_cfg_fixed wormhole_fixed[] = {{TF_CFG_DEST_ACCESS_CFG_zeroacc_absolute_tile_mode, 1}, {0, 0}};

/* On Wormhole, unpackers leave no format with a bank: the matrix unit reads SrcA and SrcB as configured. */
static const struct tf_cfg_fixed wormhole_thread_fixed[] = {
    {TF_THREAD_CFG_DISABLE_IMPLIED_SRCA_FMT_Base, 1},
    {TF_THREAD_CFG_DISABLE_IMPLIED_SRCB_FMT_Base, 1},
    {0, 0},
};

#define WORD TF_WORMHOLE_CFG_WORD
#define THREAD_WORD TF_WORMHOLE_THREAD_CFG_WORD

/* The words of sections 0 to 3 of a group, by one of their fields. */
#define LOWER(group, field)                                                                     \
    THREAD_WORD(ADDR_MOD_##group##_SEC0_##field), THREAD_WORD(ADDR_MOD_##group##_SEC1_##field), \
        THREAD_WORD(ADDR_MOD_##group##_SEC2_##field), THREAD_WORD(ADDR_MOD_##group##_SEC3_##field)

static const uint8_t wormhole_lower_modifiers[TF_LOWER_MODIFIER_WORDS] = {LOWER(AB, SrcAIncr), LOWER(DST, DestIncr),
                                                                          LOWER(BIAS, BiasIncr)};

/* Words of ThreadConfig lie 16 bytes apart (WormholeB0 BackendConfiguration.md). */
const struct tf_config_arch tf_config_wormhole = {
    .words = TF_WORMHOLE_CFG_WORDS,
    .thcon = WORD(THCON_SEC0_REG0_TileDescriptor),
    .global = WORD(DEST_TARGET_REG_CFG_PACK_SEC0_Offset),
    .state_reset = WORD(STATE_RESET_EN),
    .trisc_reset_pc = WORD(TRISC_RESET_PC_SEC0_PC),
    .ncrisc_reset_pc = WORD(NCRISC_RESET_PC_PC),
    .thread_words = TF_WORMHOLE_THREAD_CFG_WORDS,
    .thread_stride = 4,
    .place = wormhole_places,
    .places = sizeof wormhole_places / sizeof wormhole_places[0],
    .thread_place = wormhole_thread_places,
    .thread_places = sizeof wormhole_thread_places / sizeof wormhole_thread_places[0],
    .ends = wormhole_ends,
    .thread_ends = wormhole_thread_ends,
    .unused = wormhole_unused,
    .fixed = wormhole_fixed,
    .thread_fixed = wormhole_thread_fixed,
    .context_reset = THREAD_WORD(UNPACK_MISC_CFG_CfgContextCntReset_0),
    .modifier_set = THREAD_WORD(ADDR_MOD_SET_Base),
    .lower_modifiers = wormhole_lower_modifiers,
};

const struct tf_config_arch *tf_config_arch(const struct tf_tile *tile)
{
    return tile->arch->config != NULL ? tile->arch->config : &blackhole;
}

void tf_config_fix(struct tf_tile *tile)
{
    const struct tf_config_arch *arch = tf_config_arch(tile);
    struct tf_backend_config *config = tile->tensix->config;
    for (const struct tf_cfg_fixed *fixed = arch->fixed; fixed != NULL && fixed->common != 0; fixed++)
        for (unsigned bank = 0; bank < 2; bank++)
            config->bank[bank][fixed->common >> 16] = tf_cfg_put(config->bank[bank][fixed->common >> 16], fixed->common,
                                                                 fixed->value);
    for (const struct tf_cfg_fixed *fixed = arch->thread_fixed; fixed != NULL && fixed->common != 0; fixed++)
        for (unsigned thread = 0; thread < 3; thread++)
            config->thread[thread][fixed->common >> 16] =
                (uint16_t)tf_cfg_put(config->thread[thread][fixed->common >> 16], fixed->common, fixed->value);
}

#define SECTIONS 8u       /* number of groups of address modifiers */
#define UPPER_SECTIONS 4u /* the first section of the upper set */

/* For each group, its word in section 0. Words of the other sections follow it. */
static const uint32_t modifier_words[] = {TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr >> 16,
                                          TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr >> 16,
                                          TF_THREAD_CFG_ADDR_MOD_BIAS_SEC0_BiasIncr >> 16};
#define MODIFIER_GROUPS (sizeof modifier_words / sizeof modifier_words[0])

/* The section of an address modifier that has this word of Blackhole's. Returns SECTIONS if there is none. */
static unsigned section_of(uint32_t word)
{
    for (unsigned i = 0; i < MODIFIER_GROUPS; i++)
        if (word - modifier_words[i] < SECTIONS)
            return word - modifier_words[i];
    return SECTIONS;
}

static void set_bits(uint16_t *word, const struct tf_cfg_bits *bits)
{
    *word = (uint16_t)((*word & ~bits->mask) | bits->value);
}

/*
 * Sets what units read, from a word of the family's own. Instructions name one of four address modifiers, and units
 * read sections 0 to 3. If the upper set is chosen, these hold what the family has in sections 4 to 7.
 */
static void spread_word(const struct tf_config_arch *arch, uint16_t *words, unsigned index, uint16_t own, bool upper)
{
    const struct tf_cfg_place *end = arch->thread_place + arch->thread_places;
    const struct tf_cfg_place *place = tf_cfg_places_of(arch->thread_place, arch->thread_ends, index);
    while (place < end && place->word == index) {
        struct tf_cfg_bits bits;
        place = tf_cfg_gather(place, end, own, &bits);
        unsigned section = upper ? section_of(bits.word) : SECTIONS;
        if (section >= UPPER_SECTIONS)
            set_bits(&words[bits.word], &bits);
        if (section >= UPPER_SECTIONS && section < SECTIONS)
            set_bits(&words[bits.word - UPPER_SECTIONS], &bits);
    }
}

_Static_assert(MODIFIER_GROUPS *UPPER_SECTIONS == TF_LOWER_MODIFIER_WORDS, "each word of the family has one here");

/* Copy the words of the lower set that units read, from `from` or to `to`. */
static void put_lower(uint16_t *words, const uint16_t *from)
{
    for (unsigned i = 0; i < MODIFIER_GROUPS; i++)
        memcpy(&words[modifier_words[i]], &from[i * UPPER_SECTIONS], UPPER_SECTIONS * sizeof *words);
}

static void get_lower(const uint16_t *words, uint16_t *to)
{
    for (unsigned i = 0; i < MODIFIER_GROUPS; i++)
        memcpy(&to[i * UPPER_SECTIONS], &words[modifier_words[i]], UPPER_SECTIONS * sizeof *words);
}

/* Copies the words of the lower set to where units read them, unless they equal the last ones. Wormhole's row
   `matmul-bf16-lofi` changes sets with each product: 4 % of its instructions. */
static void choose_lower(const struct tf_config_arch *arch, uint16_t *words, const uint16_t *own,
                         struct tf_lower_modifiers *last)
{
    uint16_t modifiers[TF_LOWER_MODIFIER_WORDS];
    for (unsigned i = 0; i < TF_LOWER_MODIFIER_WORDS; i++)
        modifiers[i] = own[arch->lower_modifiers[i]];
    if (memcmp(modifiers, last->own, sizeof modifiers) == 0) {
        put_lower(words, last->common);
        return;
    }
    for (unsigned i = 0; i < TF_LOWER_MODIFIER_WORDS; i++)
        spread_word(arch, words, arch->lower_modifiers[i], modifiers[i], false);
    memcpy(last->own, modifiers, sizeof modifiers);
    get_lower(words, last->common);
}

/* Units read sections 4 to 7 of the upper set in any case. */
static void choose_modifiers(const struct tf_config_arch *arch, uint16_t *words, const uint16_t *own, bool upper,
                             struct tf_lower_modifiers *last)
{
    if (!upper) {
        choose_lower(arch, words, own, last);
        return;
    }
    for (unsigned i = 0; i < MODIFIER_GROUPS; i++)
        memcpy(&words[modifier_words[i]], &words[modifier_words[i] + UPPER_SECTIONS], UPPER_SECTIONS * sizeof *words);
}

void tf_config_spread_thread(struct tf_tile *tile, unsigned thread, unsigned index, uint16_t value)
{
    const struct tf_config_arch *arch = tf_config_arch(tile);
    uint16_t *own = tile->tensix->own_config->thread[thread], *words = tile->tensix->config->thread[thread];
    const uint16_t *set = &own[arch->modifier_set];
    bool has_sets = arch->modifier_set != 0, was_upper = has_sets && (*set & 1);
    own[index] = value;
    bool upper = has_sets && (*set & 1);
    if (upper != was_upper)
        choose_modifiers(arch, words, own, upper, &tile->tensix->own_config->lower[thread]);
    spread_word(arch, words, index, value, upper);
}
