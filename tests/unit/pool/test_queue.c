/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdbool.h>

#include "pool/queue.h"

enum { PRODUCERS = 3, PER_PRODUCER = 20000 };

struct message {
    struct ck_stack_entry entry;
    unsigned producer, number; /* not atomic: the queue orders them */
};

struct shop {
    struct tf_queue queue;
    struct message message[PRODUCERS][PER_PRODUCER];
};

struct producer {
    struct shop *shop;
    unsigned number;
};

static void *produce(void *argument)
{
    struct producer *producer = argument;
    for (unsigned i = 0; i < PER_PRODUCER; i++) {
        struct message *message = &producer->shop->message[producer->number][i];
        message->producer = producer->number;
        message->number = i;
        tf_queue_put(&producer->shop->queue, &message->entry);
    }
    return NULL;
}

/* All entries arrive once. In each take, entries of one producer come newest first. */
static void many_producers_one_consumer(void **state)
{
    (void)state;
    static struct shop shop;
    static bool seen[PRODUCERS][PER_PRODUCER];
    pthread_t thread[PRODUCERS];
    struct producer producer[PRODUCERS];
    for (unsigned i = 0; i < PRODUCERS; i++) {
        producer[i] = (struct producer){.shop = &shop, .number = i};
        assert_int_equal(pthread_create(&thread[i], NULL, produce, &producer[i]), 0);
    }
    unsigned received = 0;
    unsigned next[PRODUCERS] = {0};
    while (received < PRODUCERS * PER_PRODUCER) {
        unsigned before[PRODUCERS], newest[PRODUCERS] = {0};
        for (unsigned i = 0; i < PRODUCERS; i++)
            before[i] = PER_PRODUCER;
        for (struct ck_stack_entry *entry = tf_queue_take(&shop.queue); entry != NULL; entry = entry->next) {
            const struct message *message = (const struct message *)entry;
            assert_false(seen[message->producer][message->number]);
            seen[message->producer][message->number] = true;
            assert_true(message->number < before[message->producer]);
            assert_true(message->number >= next[message->producer]);
            before[message->producer] = message->number;
            if (message->number + 1 > newest[message->producer])
                newest[message->producer] = message->number + 1;
            received++;
        }
        for (unsigned i = 0; i < PRODUCERS; i++)
            if (newest[i] != 0)
                next[i] = newest[i];
    }
    for (unsigned i = 0; i < PRODUCERS; i++)
        pthread_join(thread[i], NULL);
    assert_null(tf_queue_take(&shop.queue));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_producers_one_consumer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
