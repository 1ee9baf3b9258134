/* SPDX-License-Identifier: Apache-2.0 */
/* Blackhole's figures. Tests are written for that chip, unless they bring their own family. Every test includes it. */
#ifndef TESTS_BLACKHOLE_H
#define TESTS_BLACKHOLE_H

#define TF_TENSIX_TILES 140u
#define TF_ETH_TILES 14u
#define TF_L1_BYTES 0x180000u
#define TF_DRAM_CHANNELS 8u
#define TF_DRAM_CHANNEL_BYTES (1ull << 32)

#endif
