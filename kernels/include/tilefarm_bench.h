/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by `tilefarm bench` and its device programs. */
#ifndef TILEFARM_BENCH_H
#define TILEFARM_BENCH_H

#include "tilefarm_layout.h"

#define TF_BENCH_LONG 16384u /* bytes of the longest copies, if a packet holds so many */

enum tf_bench_program {
    TF_BENCH_ALU,
    TF_BENCH_MEMORY,
    TF_BENCH_MIX,
    TF_BENCH_ATOMIC, /* argument: NOC_AT_LEN_BE; at: 0 all on tile 0, 1 each on the next tile */
    TF_BENCH_WRITE,  /* argument: bytes of a packet */
    TF_BENCH_READ,
    TF_BENCH_MULTICAST,
    TF_BENCH_DRAM_READ,
    TF_BENCH_DRAM_WRITE,
    TF_BENCH_BARRIER,
    TF_BENCH_PING_PONG,
    TF_BENCH_WAIT,   /* until the host writes TF_BENCH_GO */
    TF_BENCH_SCALAR, /* the scalar unit, by .ttinsn */
    TF_BENCH_MOP,
    TF_BENCH_REPLAY,
    TF_BENCH_MVMUL, /* argument: format of Src; at: fidelity phase */
    TF_BENCH_VECTOR,
    TF_BENCH_UNPACK,    /* argument: format in L1 << 4 | format after the unpacker; at: enum tf_bench_unpack */
    TF_BENCH_PACK,      /* argument: 1 << 8 for a 32-bit Dst, formats before << 4 and after the late conversion; at:
                           enum tf_bench_pack */
    TF_BENCH_ADD_FACES, /* T0 unpacks two faces, T1 adds them, T2 packs the sum */
    TF_BENCH_AWAIT,     /* a read and a write in turn, each awaited; argument: bytes of a packet */
    TF_BENCH_PASS_ON,   /* NC reads pages into a circular buffer, B writes them out; argument: bytes of a page */
};

enum tf_bench_unpack { TF_BENCH_TO_SRC, TF_BENCH_TO_DST, TF_BENCH_TRANSPOSED };
enum tf_bench_pack { TF_BENCH_PACK_STORE, TF_BENCH_PACK_RELU, TF_BENCH_PACK_ACCUMULATED };

struct tf_bench_params {
    uint32_t magic; /* TF_K_PARAMS_MAGIC */
    uint32_t program, rounds, argument, at;
};

#define TF_BENCH_WORD(core) (TF_K_SHARED + 0x100u + (core)*0x40u) /* the word that atomics change */
#define TF_BENCH_LOCAL (TF_K_SHARED + 0x00u)
#define TF_BENCH_RELEASE (TF_K_SHARED + 0x10u)
#define TF_BENCH_ARRIVED (TF_K_SHARED + 0x20u)
#define TF_BENCH_BALL (TF_K_SHARED + 0x30u)
#define TF_BENCH_GO (TF_K_SHARED + 0x40u)
#define TF_BENCH_READY (TF_K_SHARED + 0x50u)
#define TF_BENCH_FROM(core) (TF_K_BUFFER + (core)*0x8000u)
#define TF_BENCH_TO(core) (TF_K_BUFFER + 0x40000u + (core)*0x8000u)
#define TF_BENCH_PAGES 4u  /* of the circular buffer */
#define TF_BENCH_STREAM 4u /* its registers count the pages */
#define TF_BENCH_BATCH 8u  /* requests that a core issues before it waits for responses */

/* Work of a round, in instructions if nothing else is said. */
#define TF_BENCH_ALU_ROUND 10u
#define TF_BENCH_MEMORY_ROUND 13u
#define TF_BENCH_MIX_ROUND 18u
#define TF_BENCH_SCALAR_ROUND 16u
#define TF_BENCH_MOP_ROUND 256u
#define TF_BENCH_REPLAY_ROUND 256u
#define TF_BENCH_MVMUL_ROUND 16u
#define TF_BENCH_VECTOR_ROUND 16u
#define TF_BENCH_UNPACK_ROUND 8u /* tiles of 1,024 numbers */
#define TF_BENCH_PACK_ROUND 1u
#define TF_BENCH_ADD_ROUND 8u /* faces of 256 numbers */

#endif
