/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "farm/chip/arena.h"

static void pieces_are_aligned_and_apart(void **state)
{
    (void)state;
    struct tf_arena arena = {0};
    enum { PIECES = 2000 };
    static unsigned char *piece[PIECES];
    static size_t bytes[PIECES];
    for (unsigned i = 0; i < PIECES; i++) {
        bytes[i] = 1 + (i * 7919u) % 3000u;
        piece[i] = tf_arena_take(&arena, bytes[i]);
        assert_non_null(piece[i]);
        assert_int_equal((uintptr_t)piece[i] % 16, 0);
        memset(piece[i], (int)(i & 0xff), bytes[i]);
    }
    for (unsigned i = 0; i < PIECES; i++)
        for (size_t k = 0; k < bytes[i]; k++)
            assert_int_equal(piece[i][k], i & 0xff);
    tf_arena_free(&arena);
}

static void reset_hands_out_the_same_memory(void **state)
{
    (void)state;
    struct tf_arena arena = {0};
    void *first = tf_arena_take(&arena, 100);
    for (unsigned i = 0; i < 100; i++)
        assert_non_null(tf_arena_take(&arena, 100000));
    tf_arena_reset(&arena);
    assert_ptr_equal(tf_arena_take(&arena, 50), first);
    tf_arena_free(&arena);
    assert_null(arena.first);
}

/* There is room once it has been made: for a small piece after another, and for one larger than a chunk. */
static void lines_are_aligned(void **state)
{
    (void)state;
    struct tf_arena arena = {0};
    assert_null(tf_arena_take_line(&arena, 1));
    const size_t bytes[] = {1, 64, 200, 3u << 20, 130};
    for (unsigned i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        assert_true(tf_arena_make_room(&arena, bytes[i]));
        unsigned char *line = tf_arena_take_line(&arena, bytes[i]);
        assert_non_null(line);
        assert_int_equal((uintptr_t)line % 64, 0);
        memset(line, 1, bytes[i]);
        unsigned char *next = tf_arena_take(&arena, 10);
        assert_true(next >= line + bytes[i] || next + 10 <= line);
    }
    tf_arena_free(&arena);
}

static void a_piece_larger_than_a_chunk_fits(void **state)
{
    (void)state;
    struct tf_arena arena = {0};
    size_t bytes = 3u << 20;
    for (unsigned round = 0; round < 3; round++) {
        assert_non_null(tf_arena_take(&arena, 10));
        unsigned char *large = tf_arena_take(&arena, bytes);
        assert_non_null(large);
        memset(large, 1, bytes);
        unsigned char *small = tf_arena_take(&arena, 10);
        assert_true(small + 10 <= large || small >= large + bytes);
        tf_arena_reset(&arena);
    }
    tf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_and_apart),
        cmocka_unit_test(reset_hands_out_the_same_memory),
        cmocka_unit_test(lines_are_aligned),
        cmocka_unit_test(a_piece_larger_than_a_chunk_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
