/* SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2 && ATOMIC_INT_LOCK_FREE == 2, "processes share these");

/* What comes before the bytes of a message. */
struct record {
    uint64_t message; /* its number */
    uint64_t bytes;
};

static size_t record_bytes(size_t bytes)
{
    return sizeof(struct record) + (bytes + sizeof(struct record) - 1) / sizeof(struct record) * sizeof(struct record);
}

static void copy_in(struct tf_ring *ring, uint64_t at, const void *data, size_t bytes)
{
    const size_t from = at % TF_RING_BYTES, first = bytes < TF_RING_BYTES - from ? bytes : TF_RING_BYTES - from;
    memcpy(ring->data + from, data, first);
    memcpy(ring->data, (const char *)data + first, bytes - first);
}

static void copy_out(const struct tf_ring *ring, uint64_t at, void *data, size_t bytes)
{
    const size_t from = at % TF_RING_BYTES, first = bytes < TF_RING_BYTES - from ? bytes : TF_RING_BYTES - from;
    memcpy(data, ring->data + from, first);
    memcpy((char *)data + first, ring->data, bytes - first);
}

/* Let the reader see what has been written, and wake it if it sleeps. */
static void announce(struct tf_ring *ring)
{
    atomic_fetch_add(&ring->changes, 1);
    if (atomic_load(&ring->sleeps) != 0)
        syscall(SYS_futex, &ring->changes, FUTEX_WAKE, 1, NULL, NULL, 0);
}

bool tf_ring_put(struct tf_ring_end *end, const void *data, size_t bytes)
{
    struct tf_ring *ring = end->ring;
    if (ring == NULL)
        return false;
    const uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    const uint64_t read = atomic_load_explicit(&ring->read, memory_order_acquire);
    if (bytes > TF_RING_BYTES || record_bytes(bytes) > TF_RING_BYTES - (written - read))
        return false;
    const struct record record = {.message = end->messages++, .bytes = bytes};
    copy_in(ring, written, &record, sizeof record);
    copy_in(ring, written + sizeof record, data, bytes);
    atomic_store_explicit(&ring->written, written + record_bytes(bytes), memory_order_release);
    announce(ring);
    return true;
}

void tf_ring_put_elsewhere(struct tf_ring_end *end)
{
    end->messages++;
    if (end->ring == NULL)
        return;
    atomic_fetch_add_explicit(&end->ring->elsewhere, 1, memory_order_release);
    announce(end->ring);
}

/* What has been written is read after the count of messages elsewhere: so all messages before these are seen. */
enum tf_ring_next tf_ring_next(const struct tf_ring_end *end, size_t *bytes)
{
    struct tf_ring *ring = end->ring;
    if (ring == NULL)
        return TF_RING_ELSEWHERE;
    const uint64_t elsewhere = atomic_load_explicit(&ring->elsewhere, memory_order_acquire);
    const uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    if (read != atomic_load_explicit(&ring->written, memory_order_acquire)) {
        struct record record;
        copy_out(ring, read, &record, sizeof record);
        *bytes = record.bytes < TF_RING_BYTES ? record.bytes : TF_RING_BYTES;
        if (record.message == end->messages)
            return TF_RING_HERE;
    }
    return elsewhere != end->elsewhere ? TF_RING_ELSEWHERE : TF_RING_NONE;
}

void tf_ring_take(struct tf_ring_end *end, void *data, size_t bytes)
{
    struct tf_ring *ring = end->ring;
    const uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    copy_out(ring, read + sizeof(struct record), data, bytes);
    atomic_store_explicit(&ring->read, read + record_bytes(bytes), memory_order_release);
    end->messages++;
}

void tf_ring_took_elsewhere(struct tf_ring_end *end)
{
    end->messages++;
    end->elsewhere++;
}

void tf_ring_sleep(const struct tf_ring_end *end, long most_ns)
{
    struct tf_ring *ring = end->ring;
    size_t bytes;
    const uint32_t changes = atomic_load(&ring->changes);
    atomic_store(&ring->sleeps, 1);
    if (tf_ring_next(end, &bytes) == TF_RING_NONE)
        syscall(SYS_futex, &ring->changes, FUTEX_WAIT, changes, &(struct timespec){.tv_nsec = most_ns}, NULL, 0);
    atomic_store(&ring->sleeps, 0);
}
