/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/config/family.h"

#include "tile/tensix/config/state.h"
#include "tile/tile.h"

static const struct tf_config_arch blackhole = {
    .words = TF_CFG_WORDS,
    .thcon = TF_CFG_THCON,
    .global = TF_CFG_GLOBAL,
    .state_reset = TF_CFG_WORD(STATE_RESET_EN),
    .thread_words = TF_THREAD_CFG_WORDS,
    .thread_stride = 1,
};

/* Fields that Blackhole lacks are only kept. */
static const struct tf_cfg_place wormhole_places[] = {
#define CFG(name, word, first, width) {word, first, width, TF_CFG_##name},
#define CFG_OWN(name, word, first, width)
#include "tile/tensix/config/wormhole.def"
#undef CFG
#undef CFG_OWN
};

static const struct tf_cfg_place wormhole_thread_places[] = {
#define THREAD_CFG(name, word, first, width) {word, first, width, TF_THREAD_CFG_##name},
#define THREAD_CFG_OWN(name, word, first, width)
#include "tile/tensix/config/wormhole.def"
#undef THREAD_CFG
#undef THREAD_CFG_OWN
};

/* WormholeB0 BackendConfiguration.md: CFG_STATE_SIZE is 47, THD_STATE_SIZE 57; words of ThreadConfig lie 16 bytes
   apart. */
const struct tf_config_arch tf_config_wormhole = {
    .words = 188,
    .thcon = 52,
    .global = 152,
    .state_reset = 4,
    .trisc_reset_pc = 158,
    .ncrisc_reset_pc = 162,
    .thread_words = 57,
    .thread_stride = 4,
    .place = wormhole_places,
    .places = sizeof wormhole_places / sizeof wormhole_places[0],
    .thread_place = wormhole_thread_places,
    .thread_places = sizeof wormhole_thread_places / sizeof wormhole_thread_places[0],
};

const struct tf_config_arch *tf_config_arch(const struct tf_tile *tile)
{
    return tile->arch->config != NULL ? tile->arch->config : &blackhole;
}

const struct tf_cfg_place *tf_cfg_places_of(const struct tf_cfg_place *place, unsigned count, unsigned word)
{
    unsigned first = 0;
    while (count > 0) {
        unsigned half = count / 2;
        if (place[first + half].word < word) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return place + first;
}
