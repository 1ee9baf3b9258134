/* SPDX-License-Identifier: Apache-2.0 */
/* The coprocessor's hash: every byte of its state matters, one by one. Dst and the vector unit have their own tests. */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/unpack/state.h"
#include "unit/tensix/bare.h"

/* Every part has something in it: FIFOs and expanders, gates, latches. */
static void occupy(struct tf_tensix *tensix)
{
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        struct tf_tensix_thread *thread = &tensix->thread[t];
        thread->fifo.count = thread->mid.count = 3;
        thread->fifo.first = TF_FIFO_ENTRIES - 1;
        thread->mop.remaining = 0x55555555;
        thread->gate.full = true;
        thread->gate.wait.opcode = TF_OP_SEMWAIT;
    }
}

static void check_bytes(struct bare *bare, void *part, size_t bytes, const char *name)
{
    uint64_t before = bare_hash(bare);
    for (size_t i = 0; i < bytes; i++) {
        ((uint8_t *)part)[i] ^= 2;
        if (bare_hash(bare) == before)
            fail_msg("byte %zu of %s does not matter", i, name);
        ((uint8_t *)part)[i] ^= 2;
    }
    assert_true(bare_hash(bare) == before);
}

static void check_flag(struct bare *bare, bool *flag, const char *name)
{
    uint64_t before = bare_hash(bare);
    *flag = !*flag;
    if (bare_hash(bare) == before)
        fail_msg("%s does not matter", name);
    *flag = !*flag;
}

#define CHECK(part) check_bytes(bare, &(part), sizeof(part), #part)
#define CHECK_FLAG(part) check_flag(bare, &(part), #part)

static void check_push(struct bare *bare, struct tf_push *push)
{
    CHECK(push->arrival);
    CHECK(push->word);
    CHECK(push->pc);
    CHECK(push->resources);
    CHECK_FLAG(push->from_b);
}

static void check_fifo(struct bare *bare, struct tf_fifo *fifo)
{
    uint64_t before = bare_hash(bare);
    fifo->count++;
    assert_false(bare_hash(bare) == before);
    fifo->count--;
    for (unsigned i = 0; i < 3; i++)
        check_push(bare, &fifo->entry[(fifo->first + i) % TF_FIFO_ENTRIES]);
}

static void check_expanders(struct bare *bare, struct tf_mop *mop, struct tf_replay *replay)
{
    CHECK(mop->config);
    CHECK(mop->mask_high);
    CHECK(mop->remaining);
    CHECK(mop->pc);
    CHECK(mop->resources);
    CHECK_FLAG(mop->looping);
    CHECK(mop->step);
    CHECK(mop->lengths);
    CHECK(mop->mask);
    CHECK(mop->sequence);
    CHECK(mop->phase);
    CHECK(mop->outer);
    CHECK(mop->outer_count);
    CHECK(mop->inner);
    CHECK(mop->inner_count);
    CHECK(mop->start);
    CHECK(mop->loop);
    CHECK(mop->flip);
    CHECK(mop->loop_0_last);
    CHECK(mop->loop_1_last);
    CHECK(mop->end_0);
    CHECK(mop->end_1);
    CHECK(replay->buffer);
    CHECK(replay->index);
    CHECK(replay->record_left);
    CHECK(replay->play_left);
    CHECK_FLAG(replay->tee);
    CHECK(replay->pc);
    CHECK(replay->resources);
}

static void check_gate(struct bare *bare, struct tf_gate *gate)
{
    CHECK_FLAG(gate->full);
    CHECK(gate->word);
    CHECK(gate->pc);
    CHECK(gate->resources);
    CHECK(gate->wait.opcode);
    CHECK(gate->wait.semaphores);
    CHECK(gate->wait.stream_select);
    CHECK(gate->wait.block);
    CHECK(gate->wait.condition);
    CHECK(gate->wait.target);
    CHECK(gate->wait.since);
}

static void test_threads(void **state)
{
    struct bare *bare = *state;
    occupy(bare->tile.tensix);
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        struct tf_tensix_thread *thread = &bare->tile.tensix->thread[t];
        check_fifo(bare, &thread->fifo);
        check_fifo(bare, &thread->mid);
        check_expanders(bare, &thread->mop, &thread->replay);
        check_gate(bare, &thread->gate);
        CHECK(thread->cycle);
        CHECK_FLAG(thread->faulted);
        CHECK(bare->tile.tensix->ttsync[t].declared);
        CHECK(bare->tile.tensix->ttsync[t].in_flight);
        CHECK(bare->tile.tensix->ttsync[t].state_id);
    }
}

static void test_units(void **state)
{
    struct bare *bare = *state;
    struct tf_tensix *tensix = bare->tile.tensix;
    CHECK(tensix->soft_reset);
    CHECK(tensix->frontend->scalar_holder);
    CHECK(*tensix->busy);
    CHECK(tensix->sync->value);
    CHECK(tensix->sync->max);
    for (unsigned i = 0; i < TF_MUTEXES_MAX; i++)
        if (bare->tile.arch->mutexes >> i & 1)
            CHECK(tensix->sync->holder[i]);
    CHECK(tensix->src->unpack_bank);
    CHECK(tensix->src->matrix_bank);
    CHECK(tensix->src->format);
    for (unsigned i = 0; i < 4; i++)
        CHECK_FLAG(tensix->src->to_matrix[i / 2][i % 2]);
    CHECK(tensix->fpu->srca_row);
    CHECK(tensix->config->bank[0]);
    CHECK(tensix->config->bank[1]);
    CHECK(tensix->config->thread);
    CHECK(tensix->config->unpack_context);
    CHECK(tensix->thcon->gpr);
    CHECK(*tensix->adcs);
    for (unsigned i = 0; i < TF_TENSIX_THREADS; i++)
        CHECK(tensix->rwc[i]);
    CHECK(*tensix->tdma);
    CHECK(tensix->unpack->set_reg_acc);
    for (unsigned i = 0; i < TF_PACKERS; i++)
        CHECK(tensix->packer[i]);
    tensix->rounding->early[0][0] = 1; /* otherwise the hash would not contain it */
    CHECK(*tensix->rounding);
    for (unsigned i = 0; i < 8; i++)
        CHECK(tensix->src_data->datum[i / 4][i / 2 % 2][i % 2 * 63][i * 2 + 1]);
    CHECK(tensix->src_data->unpack_row);
}

/* Old values in free entries are no part of the state. */
static void test_what_is_free(void **state)
{
    struct bare *bare = *state;
    struct tf_tensix_thread *thread = &bare->tile.tensix->thread[1];
    uint64_t before = bare_hash(bare);
    thread->fifo.entry[3].word = thread->mid.entry[0].pc = 1;
    thread->fifo.first = 9;
    thread->mop.inner = 1;
    thread->gate.word = thread->gate.pc = 1;
    thread->gate.wait.target = 1;
    bare->tile.tensix->frontend->passed++;
    bare->tile.tensix->events++;
    assert_true(bare_hash(bare) == before);
}

#define T(test) cmocka_unit_test_setup_teardown(test, bare_setup, bare_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {T(test_threads), T(test_units), T(test_what_is_free)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
