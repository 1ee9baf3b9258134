/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several clients connect to the GDB stub, before it serves one and later. It serves the first one to the end. It sends
 * the others away at once: none of them waits for an answer. The run does not notice them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>

#include "chip_wish.h"
#include "debug/gdb/gdb.h"
#include "gdb_script.h"

#define CYCLES 20000u
#define CLIENTS 5u

static unsigned port;
static atomic_uint served, refused, answers;

static void *play(void *unused)
{
    unsigned answered = gdb_script_play(port);
    answers += answered;
    served += answered == GDB_SCRIPT;
    refused += answered == 0;
    return unused;
}

static struct tf_chip *make(void)
{
    struct chip_wish config;
    struct tf_chip *chip;
    gdb_script_configure(&config);
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    gdb_script_load(chip);
    return chip;
}

static uint64_t alone(void)
{
    struct tf_chip *chip = make();
    assert_int_equal(tf_run(chip, &(struct tf_run_options){.cycles_max = CYCLES}, NULL), TF_OK);
    uint64_t hash = gdb_script_hash(chip);
    tf_chip_destroy(chip);
    return hash;
}

static void the_first_client_is_served(void **state)
{
    (void)state;
    struct tf_message message = {""};
    struct tf_chip *chip = make();
    struct tf_gdb *gdb = tf_gdb_open("127.0.0.1:0", &message);
    pthread_t client[CLIENTS + 1];
    enum tf_end end;
    assert_non_null(gdb);
    tf_gdb_attach(gdb, chip, NULL);
    port = tf_gdb_port(gdb);
    for (unsigned i = 0; i < CLIENTS; i++)
        assert_int_equal(pthread_create(&client[i], NULL, play, NULL), 0);
    tf_gdb_begin(gdb);
    assert_int_equal(pthread_create(&client[CLIENTS], NULL, play, NULL), 0); /* while the chip runs */
    assert_int_equal(tf_run(chip, &(struct tf_run_options){.cycles_max = CYCLES}, &end), TF_OK);
    assert_false(tf_gdb_ended(gdb, end));
    for (unsigned i = 0; i <= CLIENTS; i++) /* the stub is still open: nobody waits for its end */
        pthread_join(client[i], NULL);
    assert_int_equal(served, 1);
    assert_int_equal(refused, CLIENTS);
    assert_int_equal(answers, GDB_SCRIPT);
    assert_true(gdb_script_hash(chip) == alone());
    tf_chip_destroy(chip);
    tf_gdb_close(gdb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_client_is_served)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
