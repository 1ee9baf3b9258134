/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state hash of a link sees each part of its state. The lowest and the highest bit of each part are changed one at
 * a time: all hashes differ from each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <xxhash.h>

#include "tile/eth/connect.h"
#include "tile/eth/packets.h"
#include "tile/eth/parts.h"
#include "tile/hash.h"

enum { PARTS_MAX = 160, FRAME_BYTES = 64, ITEMS = 2, SLOTS = 3 };

struct fixture {
    struct tf_eth_link link;
    struct tf_eth_packet *sent, *held;
    struct tf_eth_unacknowledged item[TF_ETH_QUEUES_MAX][ITEMS];
    struct tf_eth_slot slot[SLOTS];
    struct tf_eth_update update[2];
    struct part {
        uint8_t *data;
        size_t bytes;
    } part[PARTS_MAX];
    unsigned parts;
};

static uint64_t hash_of(const struct fixture *fixture)
{
    struct tf_hash hash = {.state = XXH3_createState()};
    assert_non_null(hash.state);
    XXH3_64bits_reset(hash.state);
    tf_eth_link_hash(&fixture->link, &hash);
    const uint64_t value = XXH3_64bits_digest(hash.state);
    XXH3_freeState(hash.state);
    return value;
}

static void add(struct fixture *fixture, void *data, size_t bytes)
{
    assert_true(fixture->parts < PARTS_MAX);
    fixture->part[fixture->parts++] = (struct part){data, bytes};
}

#define ADD(place) add(fixture, &(place), sizeof(place))

static struct tf_eth_packet *make_packet(struct fixture *fixture)
{
    struct tf_eth_packet *packet = calloc(1, sizeof *packet + FRAME_BYTES);
    assert_non_null(packet);
    packet->frame_bytes = FRAME_BYTES;
    ADD(packet->arrives);
    ADD(packet->to);
    ADD(packet->kind);
    ADD(packet->queue);
    ADD(packet->frame[0]);
    ADD(packet->frame[FRAME_BYTES - 1]);
    return packet;
}

static void add_item(struct fixture *fixture, struct tf_eth_unacknowledged *item)
{
    ADD(item->ended);
    ADD(item->acknowledged);
    ADD(item->load.sequence);
    ADD(item->load.from);
    ADD(item->load.to);
    ADD(item->load.bytes);
    ADD(item->load.value);
    ADD(item->load.kind);
    ADD(item->load.row);
}

static void add_queue(struct fixture *fixture, unsigned queue)
{
    struct tf_eth_window *window = &fixture->link.window[queue];
    *window = (struct tf_eth_window){.item = fixture->item[queue], .first = 1, .count = ITEMS, .room = ITEMS};
    for (unsigned i = 0; i < ITEMS; i++)
        add_item(fixture, &fixture->item[queue][i]);
    ADD(window->next);
    ADD(window->notified);
    ADD(window->last);
    ADD(window->resent);
    ADD(fixture->link.accepted[queue]);
    ADD(fixture->link.expected[queue]);
    ADD(fixture->link.named[queue]);
}

static void add_scalars(struct fixture *fixture)
{
    struct tf_eth_link *link = &fixture->link;
    ADD(link->free);
    ADD(link->frames);
    ADD(link->bytes);
    ADD(link->lost);
    ADD(link->arrived);
    ADD(link->arrived_bytes);
    ADD(link->refused);
    add(fixture, &link->outage, 2); /* the hash keeps 31 of its bits */
    add(fixture, &link->down, 0);
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    struct tf_eth_link *link = &fixture->link;
    link->slot = fixture->slot;
    link->slots_first = 2; /* the second one is at the start of the ring */
    link->slots = 2;
    link->slots_room = SLOTS;
    for (unsigned i = 0; i < link->slots; i++) {
        struct tf_eth_slot *slot = &fixture->slot[(link->slots_first + i) % SLOTS];
        ADD(slot->began);
        ADD(slot->ended);
        ADD(slot->lines);
        ADD(slot->queue);
    }
    for (unsigned queue = 0; queue < TF_ETH_QUEUES_MAX; queue++)
        add_queue(fixture, queue);
    link->update = fixture->update;
    link->updates = 2;
    for (unsigned i = 0; i < link->updates; i++) {
        ADD(fixture->update[i].arrives);
        ADD(fixture->update[i].expected);
        ADD(fixture->update[i].queue);
        add(fixture, &fixture->update[i].dropped, 0);
    }
    add_scalars(fixture);
    tf_eth_list_init(&link->sent);
    tf_eth_list_init(&link->held);
    tf_eth_list_add(&link->sent, fixture->sent = make_packet(fixture));
    tf_eth_list_add(&link->held, fixture->held = make_packet(fixture));
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    tf_eth_list_free(&fixture->link.sent);
    tf_eth_list_free(&fixture->link.held);
    free(fixture);
    return 0;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void each_part_is_seen(void **state)
{
    struct fixture *fixture = *state;
    uint64_t hash[2 * PARTS_MAX + 1];
    size_t hashes = 0;
    hash[hashes++] = hash_of(fixture);
    for (const struct part *part = fixture->part; part < fixture->part + fixture->parts; part++) {
        *part->data ^= 1;
        hash[hashes++] = hash_of(fixture);
        *part->data ^= 1;
        if (part->bytes == 0) /* a bool */
            continue;
        part->data[part->bytes - 1] ^= 0x80;
        hash[hashes++] = hash_of(fixture);
        part->data[part->bytes - 1] ^= 0x80;
    }
    assert_true(hash_of(fixture) == hash[0]);
    qsort(hash, hashes, sizeof *hash, by_value);
    for (size_t i = 1; i < hashes; i++)
        assert_true(hash[i] != hash[i - 1]);
}

/* What is left of a ring, and what no list has, is no state. */
static void nothing_else_is_seen(void **state)
{
    struct fixture *fixture = *state;
    const uint64_t before = hash_of(fixture);
    fixture->slot[1].began = 1;
    assert_true(hash_of(fixture) == before);
    fixture->link.updates = 1;
    assert_true(hash_of(fixture) != before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_part_is_seen, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_else_is_seen, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
