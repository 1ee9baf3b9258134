/* SPDX-License-Identifier: Apache-2.0 */
/* For each test a new Wormhole chip, and the host's accesses to words of its nodes. */
#ifndef TESTS_CONFORMANCE_FAMILY_WORMHOLE_FIXTURE_H
#define TESTS_CONFORMANCE_FAMILY_WORMHOLE_FIXTURE_H

#include "conformance/family/wormhole_chip.h"
#include "one_chip.h"

static int setup(void **state)
{
    (void)state;
    chip = wormhole_chip();
    return 0;
}

static uint32_t word_at(struct tf_coord node, uint64_t address)
{
    uint32_t word;
    assert_int_equal(tf_read(chip, node, address, &word, sizeof word), TF_OK);
    return word;
}

static int put_word(struct tf_coord node, uint64_t address, uint32_t word)
{
    return tf_write(chip, node, address, &word, sizeof word);
}

#endif
