/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages from one process to another one of the same host, through memory that both share: one writes, one reads. A
 * message that does not fit goes another way. The ring counts these, so the reader knows the order of all messages, and
 * where the next one comes. Nothing here waits, but tf_ring_sleep(), which sleeps in the kernel.
 */
#ifndef RANKS_RING_H
#define RANKS_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TF_RING_BYTES ((size_t)32 * 1024)
#define TF_RING_LINE_BYTES 64

/* Counts only grow. Writer and reader have lines of their own. Zeros are a ring that is empty. */
struct tf_ring {
    _Alignas(TF_RING_LINE_BYTES) _Atomic uint64_t written; /* bytes */
    _Atomic uint64_t elsewhere;                            /* messages that go another way */
    _Atomic uint32_t changes;                              /* of either; the reader sleeps on it */
    _Alignas(TF_RING_LINE_BYTES) _Atomic uint64_t read;    /* bytes */
    _Atomic uint32_t sleeps;                               /* 1: the reader may */
    _Alignas(TF_RING_LINE_BYTES) unsigned char data[TF_RING_BYTES];
};

/* An end of a ring, in the memory of its process. Both ends count all messages. */
struct tf_ring_end {
    struct tf_ring *ring; /* NULL: there is none, all messages go another way */
    uint64_t messages;    /* put or taken */
    uint64_t elsewhere;   /* of them; at the reader's end */
};

/* Put a message. False: it does not fit. Then call tf_ring_put_elsewhere(), and send it another way. */
bool tf_ring_put(struct tf_ring_end *end, const void *data, size_t bytes);
void tf_ring_put_elsewhere(struct tf_ring_end *end);

enum tf_ring_next {
    TF_RING_NONE,
    TF_RING_HERE,      /* tf_ring_take() copies it */
    TF_RING_ELSEWHERE, /* it comes another way; then call tf_ring_took_elsewhere() */
};

/* Where is the next message? *bytes: its length, if it is here; at most TF_RING_BYTES. */
enum tf_ring_next tf_ring_next(const struct tf_ring_end *end, size_t *bytes);
void tf_ring_take(struct tf_ring_end *end, void *data, size_t bytes);
void tf_ring_took_elsewhere(struct tf_ring_end *end);

/* Sleep until a message has been put, or for some time. It may return sooner. */
void tf_ring_sleep(const struct tf_ring_end *end, long most_ns);

#endif
