/* SPDX-License-Identifier: Apache-2.0 */
/* Words of Wormhole's backend configuration by name (WormholeB0 BackendConfiguration.md). */
#ifndef TILE_TENSIX_CONFIG_WORMHOLE_H
#define TILE_TENSIX_CONFIG_WORMHOLE_H

#define TF_WORMHOLE_CFG_WORDS 188u       /* words of a bank of Config: CFG_STATE_SIZE * 4 */
#define TF_WORMHOLE_THREAD_CFG_WORDS 57u /* of a bank of ThreadConfig: THD_STATE_SIZE */

/* Index of the word that holds a field of Config, or of ThreadConfig. */
#define TF_WORMHOLE_CFG_WORD(name) ((unsigned)TF_WORMHOLE_CFG_##name)
#define TF_WORMHOLE_THREAD_CFG_WORD(name) ((unsigned)TF_WORMHOLE_THREAD_CFG_##name)

enum tf_wormhole_cfg_word {
#define CFG(name, word, first, width) TF_WORMHOLE_CFG_##name = (word),
#define CFG_OWN CFG
#define CFG_MORE(name, word, number)
#define THREAD_CFG(name, word, first, width) TF_WORMHOLE_THREAD_CFG_##name = (word),
#define THREAD_CFG_OWN THREAD_CFG
#include "tile/tensix/config/wormhole.def"
#undef CFG
#undef CFG_OWN
#undef CFG_MORE
#undef THREAD_CFG
#undef THREAD_CFG_OWN
};

#endif
