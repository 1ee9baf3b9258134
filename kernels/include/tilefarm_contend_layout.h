/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contention across links (`tilefarm stress --system`). E0 at both ends of each link sends numbered messages to the
 * other end, writes their numbers to a line of its L1, and raises the space available of a stream there. Core B of some
 * Tensix tiles of each chip raises the same words by NOC atomics, and the same streams by NOC writes.
 * kernels/contend.c and the host share this file.
 */
#ifndef TILEFARM_CONTEND_LAYOUT_H
#define TILEFARM_CONTEND_LAYOUT_H

#include "tilefarm_layout.h"
#include "tilefarm_link_layout.h"

#define TF_C_MAGIC 0x7F434E31u

/* ---- Ethernet tiles ---- */

#define TF_C_JOB TF_L_JOB                                /* struct tf_contend_job */
#define TF_C_RESULT TF_L_RESULT                          /* struct tf_contend_result */
#define TF_C_SIGNAL(which) (TF_L_SIGNAL + 64u * (which)) /* TF_C_SENT: a message has come; TF_C_SEEN: one is free */
#define TF_C_OWN(which) (TF_L_OWN + TF_L_OWN_BYTES * (which))
#define TF_C_SENT 0u
#define TF_C_SEEN 1u
#define TF_C_LINE \
    0x1C900u           /* four words: the number of the last message in the upper half, increments in the lower one */
#define TF_C_STREAM 2u /* whose space available is raised */

/* A message of so many bytes at most. So many may be on the way; there is twice the room, at both ends. */
#define TF_C_BYTES 128u
#define TF_C_WINDOW 8u
#define TF_C_IN(number) (TF_L_BUFFER + (number) % (2u * TF_C_WINDOW) * TF_C_BYTES)
#define TF_C_OUT(number) (TF_L_BUFFER + 0x2000u + (number) % (2u * TF_C_WINDOW) * TF_C_BYTES)
#define TF_C_OWN_LINE(number) (TF_L_BUFFER + 0x4000u + (number) % (2u * TF_C_WINDOW) * 16u)

/* ---- Tensix tiles ---- */

#define TF_C_TILE_JOB TF_K_SHARED /* struct tf_contend_tile_job */
#define TF_C_ANSWERS 0x30000u     /* a word for each request: what the atomic returned; 0: a write to a stream */
#define TF_C_REQUESTS_MAX 4096u
#define TF_C_PORTS 16u

#ifndef __ASSEMBLER__
#include <stdint.h>

struct tf_contend_job {
    uint32_t magic;
    uint32_t seed;   /* of both ends */
    uint32_t rounds; /* messages: fewer than 65,536 */
};

/* What E0 has seen. */
enum tf_contend_what {
    TF_C_RIGHT,
    TF_C_WRONG_DATA, /* a message was signalled, and a word of it was not there */
    TF_C_OLD_LINE,   /* a message was signalled, and an older number was in the line */
};

struct tf_contend_result {
    uint32_t what;         /* the first thing that was wrong */
    uint32_t number, word; /* the message, and a word of it */
    uint32_t is, wanted;
};

struct tf_contend_tile_job {
    uint32_t magic;
    uint32_t seed; /* of this tile */
    uint32_t requests;
    uint32_t ports;               /* of the chip that have a link */
    uint32_t port_xy[TF_C_PORTS]; /* raw coordinates on NOC 0, as x | y << 6 */
};

static inline uint32_t tf_contend_bytes(uint32_t seed, uint32_t number)
{
    return 32u + tf_k_input(seed, number, 64) % 7u * 16u;
}

static inline uint32_t tf_contend_word(uint32_t seed, uint32_t number, uint32_t word)
{
    return tf_k_input(seed, number, word);
}

/* The port of a request of a tile, the word of its line, and whether it is a write to a stream. */
struct tf_contend_request {
    uint32_t port, word;
    uint32_t to_stream;
};

static inline struct tf_contend_request tf_contend_request(uint32_t seed, uint32_t number, uint32_t ports)
{
    const uint32_t random = tf_k_input(seed, number, 1);
    return (struct tf_contend_request){.port = (random & 0xFFu) % ports,
                                       .word = random >> 8 & 3u,
                                       .to_stream = (random >> 10 & 3u) == 0};
}
#endif

#endif
