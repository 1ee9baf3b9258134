/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lock-free queues, made of CK's stack. Entries come back newest first. ThreadSanitizer does not understand
 * CK's assembly, so the macros below tell it what a queue orders.
 */
#ifndef POOL_QUEUE_H
#define POOL_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include <ck_stack.h>

#if defined(__SANITIZE_THREAD__)
#define TF_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TF_TSAN 1
#endif
#endif

#ifdef TF_TSAN
void __tsan_acquire(void *address);
void __tsan_release(void *address);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
#define TF_ORDERS_BEFORE(address) __tsan_release(address)
#define TF_ORDERS_AFTER(address) __tsan_acquire(address)
#else
#define TF_ORDERS_BEFORE(address) ((void)(address))
#define TF_ORDERS_AFTER(address) ((void)(address))
#endif

struct tf_queue {
    struct ck_stack stack;
};

/* Put an entry in. Any thread. */
static inline void tf_queue_put(struct tf_queue *queue, struct ck_stack_entry *entry)
{
    TF_ORDERS_BEFORE(queue);
#ifdef TF_TSAN
    /* The link is written after the annotation and before the compare-and-swap that publishes it. */
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
    ck_stack_push_upmc(&queue->stack, entry);
#ifdef TF_TSAN
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
#endif
}

/* Take all entries, newest first. Any thread. */
static inline struct ck_stack_entry *tf_queue_take(struct tf_queue *queue)
{
    struct ck_stack_entry *entries = ck_stack_batch_pop_upmc(&queue->stack);
    TF_ORDERS_AFTER(queue);
    return entries;
}

#endif
