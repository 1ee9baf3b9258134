/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saved chips with right checksums whose fields no chip has. Each case saves a chip with one such field; the file is
 * refused, and the sentence names the room.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "farm/chip/chip.h"
#include "one_column.h"
#include "tile/riscv/hart.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/state.h"

static char path[] = "/tmp/tilefarm.test_saved_fields.XXXXXX";

static struct tf_chip *new_chip(void)
{
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    chip_wish_init(&config);
    one_column(&config.board);
    config.threads = 1;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    return chip;
}

/* Break one field of a chip, and try to restore it. why: NULL if the file is good. */
static void refuse(void (*damage)(struct tf_chip *chip), const char *why)
{
    struct tf_message message = {.text = ""};
    struct tf_chip *chip = new_chip(), *other = new_chip();
    damage(chip);
    assert_int_equal(tf_chip_save(chip, path, &message), TF_OK);
    int error = tf_chip_restore(other, path, &message);
    if (error != (why == NULL ? TF_OK : TF_EFORMAT) || (why != NULL && strstr(message.text, why) == NULL))
        fail_msg("%d, '%s', not '%s'", error, message.text, why == NULL ? "" : why);
    tf_chip_destroy(other);
    tf_chip_destroy(chip);
}

static struct tf_tensix *tensix_of(struct tf_chip *chip)
{
    return chip->tiles.tile[3].tensix;
}

/* A flag with another byte than 0 or 1. */
static void set_flag(bool *flag)
{
    memset(flag, 2, sizeof *flag);
}

#define CASE(name_, ...)                             \
    static void name_(struct tf_chip *chip)          \
    {                                                \
        struct tf_tile *tile = &chip->tiles.tile[3]; \
        struct tf_tensix *tensix = tensix_of(chip);  \
        (void)tile, (void)tensix;                    \
        __VA_ARGS__;                                 \
    }

CASE(nothing, (void)0)
CASE(fifo_count, tensix->thread[1].fifo.count = TF_FIFO_ENTRIES + 1)
CASE(fifo_first, tensix->thread[1].fifo.first = TF_FIFO_ENTRIES)
CASE(mid_count, tensix->thread[0].mid.count = TF_FIFO_ENTRIES + 1)
CASE(lost_count, tensix->thread[0].lost.count = TF_FIFO_ENTRIES + 1)
CASE(mop_length, tensix->thread[2].mop.lengths[1] = 6)
CASE(mop_phase, tensix->thread[2].mop.phase = 4)
CASE(mop_flag, set_flag(&tensix->thread[2].mop.looping))
CASE(replay_index, tensix->thread[0].replay.index = TF_REPLAY_ENTRIES)
CASE(replay_left, tensix->thread[0].replay.play_left = TF_REPLAY_ENTRIES + 1)
CASE(gate_full, set_flag(&tensix->thread[0].gate.full))
CASE(mutex_holder, tensix->sync->holder[0] = 4)
CASE(scalar_holder, tensix->frontend->scalar_holder = 4)
CASE(src_bank, tensix->src->matrix_bank[1] = 2)
CASE(src_format, tensix->src->format[0][1] = 16)
CASE(src_client, set_flag(&tensix->src->to_matrix[0][0]))
CASE(src_row, tensix->src_data->unpack_row[1][2] = 49)
CASE(srca_row, tensix->fpu->srca_row = TF_SRC_ROWS)
CASE(pack_used, tensix->pack[0].data.used = TF_PACK_LINE_BYTES)
CASE(pack_blocked, tensix->pack[0].blocked = 255)
CASE(pack_grouped, tensix->pack[0].rows.grouped = 32)
CASE(mailbox_head, tile->mmio.mailbox[1][2].head = TF_MAILBOX_ENTRIES)
CASE(mailbox_count, tile->mmio.mailbox[1][2].count = TF_MAILBOX_ENTRIES + 1)
CASE(pcbuf_head, tile->mmio.pcbuf[1].head = TF_PCBUF_ENTRIES)
CASE(pending_words, tile->mmio.debug.timestamper.pending_count = 4)
CASE(next_interrupt, tile->mmio.pic.next[0] = 36)
CASE(idle_stream, tile->mmio.stream_sends[1] = 1)
CASE(core_state, tile->hart[1].state = TF_CORE_FAULTED + 1)
CASE(core_flag, set_flag(&tile->hart[1].wait_store))
CASE(fault_text, tile->faults.count = 1; tile->faults.entry[0].tile = tile->coord;
     memset(tile->faults.entry[0].text, 'x', sizeof tile->faults.entry[0].text))
CASE(fault_tile, tile->faults.count = 1; tile->faults.entry[0].tile = (struct tf_coord){255, 255})
CASE(kept_fault, chip->faults.count = 1; chip->faults.kept[0].tile = (struct tf_coord){255, 255})
CASE(no_site, chip->epochs.active.word[TF_SET_WORDS - 1] = 1ull << 63)
CASE(late_tick, chip->epochs.tick = 1ull << 60)
CASE(no_ticks, chip->epochs.ticks = 0)

static void test_fields(void **state)
{
    static const struct {
        void (*damage)(struct tf_chip *chip);
        const char *why;
    } cases[] = {
        {nothing, NULL},
        {fifo_count, "queues are invalid"},
        {fifo_first, "queues are invalid"},
        {mid_count, "queues are invalid"},
        {lost_count, "queues are invalid"},
        {mop_length, "queues are invalid"},
        {mop_phase, "queues are invalid"},
        {mop_flag, "queues are invalid"},
        {replay_index, "queues are invalid"},
        {replay_left, "queues are invalid"},
        {gate_full, "queues are invalid"},
        {mutex_holder, "queues are invalid"},
        {scalar_holder, "queues are invalid"},
        {src_bank, "bank of SrcA or SrcB is invalid"},
        {src_format, "bank of SrcA or SrcB is invalid"},
        {src_client, "bank of SrcA or SrcB is invalid"},
        {src_row, "bank of SrcA or SrcB is invalid"},
        {srca_row, "bank of SrcA or SrcB is invalid"},
        {pack_used, "packer's streams are invalid"},
        {pack_blocked, "packer's streams are invalid"},
        {pack_grouped, "packer's streams are invalid"},
        {mailbox_head, "mailbox or a buffer"},
        {mailbox_count, "mailbox or a buffer"},
        {pcbuf_head, "mailbox or a buffer"},
        {pending_words, "mailbox or a buffer"},
        {next_interrupt, "mailbox or a buffer"},
        {idle_stream, "nothing to send"},
        {core_state, "state of a core is invalid"},
        {core_flag, "state of a core is invalid"},
        {fault_text, "fault of a tile is invalid"},
        {fault_tile, "fault of a tile is invalid"},
        {kept_fault, "a fault is invalid"},
        {no_site, "time or its sites"},
        {late_tick, "time or its sites"},
        {no_ticks, "time or its sites"},
    };
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuse(cases[i].damage, cases[i].why);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
