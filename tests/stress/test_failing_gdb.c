/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host refuses memory while GDB is served: the n-th allocation of a session fails, for each n. The stub then
 * refuses a packet, or loses its client. The run goes on, and ends in the same state. Nothing leaks.
 */
#include <pthread.h>

#include "chip_wish.h"
#include "debug/gdb/gdb.h"
#include "failing.h"
#include "gdb_script.h"

#define CYCLES 20000u

static unsigned port, answers; /* of the last session */

static void *play(void *unused)
{
    other_thread = true;
    answers = gdb_script_play(port);
    return unused;
}

static struct tf_chip *make(void)
{
    struct chip_wish config;
    struct tf_chip *chip;
    unsigned kept = fails_at;
    fails_at = 0;
    gdb_script_configure(&config);
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    gdb_script_load(chip);
    fails_at = kept;
    return chip;
}

/* A session. The run ends in the same state, however much of it GDB has seen. */
static int try_gdb(void)
{
    static uint64_t expected;
    struct tf_message message = {""};
    pthread_t thread;
    enum tf_end end;
    struct tf_gdb *gdb = tf_gdb_open("127.0.0.1:0", &message);
    if (gdb == NULL)
        return message.text[0] != '\0' ? TF_ENOMEM : TF_EINVAL;
    struct tf_chip *chip = make();
    tf_gdb_attach(gdb, chip, NULL);
    port = tf_gdb_port(gdb);
    assert_int_equal(pthread_create(&thread, NULL, play, NULL), 0);
    tf_gdb_begin(gdb);
    assert_int_equal(tf_run(chip, &(struct tf_run_options){.cycles_max = CYCLES}, &end), TF_OK);
    assert_false(tf_gdb_ended(gdb, end));
    fails_at = 0;
    uint64_t found = gdb_script_hash(chip);
    tf_chip_destroy(chip);
    tf_gdb_close(gdb);
    pthread_join(thread, NULL);
    expected = expected == 0 ? found : expected;
    assert_true(found == expected);
    return TF_OK;
}

static void gdb_is_served(void **state)
{
    (void)state;
    assert_int_equal(try_gdb(), TF_OK);
    assert_int_equal(answers, GDB_SCRIPT);
    fail_each(try_gdb, TF_ENOMEM, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gdb_is_served)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
