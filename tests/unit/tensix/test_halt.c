/* SPDX-License-Identifier: Apache-2.0 */
/* Turns that halt before a store to a register: nothing runs ahead of the store, wherever it waits for the gate. */
#include "tile/tensix/frontend/frontend.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/issue/run.h"
#include "unit/tensix/logged.h"
#include "unless_hostile.h"

#define NOP 0x02000000u
#define OTHER W(SFPNOP)
#define STORE MARK(7)
#define PLAY_8 (W(REPLAY) | V(REPLAY, len, 8))
#define MOP_LOOP 0x01800000u
#define TURN_CYCLES 200u

/* T0's instructions: OTHERs in a FIFO, in an expansion and in the replay buffer, and one STORE at most. */
enum place { IN_FIFO, FROM_B, AT_GATE, IN_MOP, IN_REPLAY, IN_MOP_OF_REPLAYS, PLACES, NOWHERE = PLACES };

static void fill_replay(struct bare *bare, uint32_t last)
{
    struct tf_replay *replay = &bare->tile.tensix->thread[0].replay;
    for (replay->record_left = 8; replay->record_left != 0;)
        tf_replay_record(replay, replay->record_left == 1 ? last : OTHER);
    replay->index = 0;
}

static void push_mop(struct bare *bare, uint32_t last)
{
    uint32_t *config = bare->tile.tensix->thread[0].mop.config;
    config[TF_MOP_OUTER_COUNT] = 1;
    config[TF_MOP_INNER_COUNT] = 10;
    config[TF_MOP_START_OP] = config[TF_MOP_END_OP_0] = config[TF_MOP_LOOP_OP_1] = NOP;
    config[TF_MOP_LOOP_OP] = config[TF_MOP_LOOP_1_LAST] = OTHER;
    config[TF_MOP_LOOP_0_LAST] = last;
    bare_push(bare, 0, MOP_LOOP);
}

static void push_at(struct bare *bare, enum place place)
{
    fill_replay(bare, place == IN_REPLAY || place == IN_MOP_OF_REPLAYS ? STORE : OTHER);
    if (place == AT_GATE)
        bare_push(bare, 0, STORE);
    if (place == FROM_B)
        bare_push_b(bare, 0, STORE);
    for (unsigned i = 0; i < 12; i++)
        bare_push(bare, 0, OTHER);
    bare_push(bare, 0, PLAY_8);
    if (place == IN_FIFO)
        bare_push(bare, 0, STORE);
    push_mop(bare, place == IN_MOP ? STORE : place == IN_MOP_OF_REPLAYS ? PLAY_8 : OTHER);
}

/* The last MOP, or the REPLAY, has left the FIFO. Its expander holds the rest. The next configuration differs. */
static void start_expansion(struct bare *bare, enum place place)
{
    const struct tf_tensix_thread *thread = &bare->tile.tensix->thread[0];
    while (place == IN_REPLAY ? thread->replay.play_left != 4 : thread->mop.remaining != 4)
        bare_run(bare, 1);
    memset(bare->tile.tensix->thread[0].mop.config, 0, sizeof thread->mop.config);
}

static void push_adds(struct bare *bare)
{
    for (unsigned i = 0; i < 24; i++)
        bare_push(bare, 1, W(ADDDMAREG));
}

/* T1 has gpr-only instructions. They run ahead only if T0 holds no store. */
static void check_turn(struct bare *bare, bool stores)
{
    const struct tf_tensix_thread *thread = bare->tile.tensix->thread;
    uint64_t first = tf_tensix_clock(&bare->tile), end = first + TURN_CYCLES;
    push_adds(bare);
    assert_int_equal(tf_tensix_run_to(&bare->tile, end, true), !stores);
    if (!stores)
        return;
    assert_int_equal(tf_tensix_halted_at(&bare->tile), thread[0].cycle);
    assert_true(thread[1].cycle <= thread[0].cycle);
    assert_false(tf_tensix_run_to(&bare->tile, end, true));
    assert_true(tf_tensix_run_to(&bare->tile, end, false));
}

static void check(enum place place, bool expanding)
{
    void *state;
    assert_int_equal(logged_setup(&state), 0);
    struct bare *bare = state;
    print_message("place %d, %s\n", (int)place, expanding ? "in the expander" : "before it");
    push_at(bare, place);
    if (expanding)
        start_expansion(bare, place);
    bool stores = place != NOWHERE;
    assert_int_equal((tf_frontend_flags(&bare->tile.tensix->thread[0]) & TF_TENSIX_REGISTER) != 0, stores);
    check_turn(bare, stores);
    bare_teardown(&state);
}

static void test_before_the_expanders(void **state)
{
    SKIP_WHEN_HOSTILE("a FIFO holds less");
    (void)state;
    for (enum place place = 0; place <= PLACES; place++)
        check(place, false);
}

static void test_in_the_expanders(void **state)
{
    SKIP_WHEN_HOSTILE("a FIFO holds less");
    (void)state;
    static const enum place places[] = {IN_MOP, IN_REPLAY, IN_MOP_OF_REPLAYS, NOWHERE};
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++)
        check(places[i], true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before_the_expanders),
        cmocka_unit_test(test_in_the_expanders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
