/* SPDX-License-Identifier: Apache-2.0 */
/* TF_ASSERT: an invariant that does not hold ends the process where asserts are on, and costs nothing elsewhere. */
#include "host/assert.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tile/tensix/frontend/fifo.h"

#ifdef TF_ASSERTS
#define ON 1
#else
#define ON 0
#endif

/* How a child ends that does this: the signal that ends it, or 0. */
static int ends(void (*act)(void))
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        act();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static unsigned evaluated;

/* Without asserts nothing calls it, and clang warns of such a function. */
static __attribute__((unused)) bool evaluate(bool value)
{
    evaluated++;
    return value;
}

static void hold(void)
{
    TF_ASSERT(evaluate(true));
}

static void break_one(void)
{
    TF_ASSERT(evaluate(false));
}

static void take_from_empty_fifo(void)
{
    struct tf_fifo fifo = {.count = 0};
    tf_fifo_pop(&fifo);
}

static void test_condition(void **state)
{
    (void)state;
    assert_int_equal(ends(hold), 0);
    assert_int_equal(ends(break_one), ON ? SIGABRT : 0);
}

static void test_invariant(void **state)
{
    (void)state;
    assert_int_equal(ends(take_from_empty_fifo), ON ? SIGABRT : 0);
}

static void test_cost(void **state)
{
    (void)state;
    evaluated = 0;
    hold();
    assert_int_equal(evaluated, ON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_condition),
        cmocka_unit_test(test_invariant),
        cmocka_unit_test(test_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
