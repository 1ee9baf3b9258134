/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between two ranks of one host (src/ranks/ring.h): another process writes them. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "random.h"
#include "ring.h"

#define MESSAGES 20000u
#define BYTES_MOST (TF_RING_BYTES + 500)
#define SLEEP_NS 1000000

static struct tf_ring *shared_ring(void)
{
    void *ring = mmap(NULL, sizeof(struct tf_ring), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(ring != MAP_FAILED);
    return ring;
}

/* The next message of a seed: most are short, some as long as the ring, some longer. */
static size_t next_message(uint64_t *random, unsigned char data[BYTES_MOST])
{
    const uint64_t kind = test_random(random) % 64;
    const size_t most = kind == 0 ? BYTES_MOST : kind < 8 ? TF_RING_BYTES / 2 : 100;
    const size_t bytes = test_random(random) % (most + 1);
    memset(data, (int)(test_random(random) & 0xff), bytes);
    return bytes;
}

/* Messages that go another way go through a pipe. */
static void write_all(struct tf_ring *ring, int pipe, uint64_t random)
{
    static unsigned char data[BYTES_MOST];
    struct tf_ring_end end = {.ring = ring};
    for (unsigned i = 0; i < MESSAGES; i++) {
        const size_t bytes = next_message(&random, data);
        if (tf_ring_put(&end, data, bytes))
            continue;
        tf_ring_put_elsewhere(&end);
        for (size_t at = 0; at < bytes;)
            at += (size_t)write(pipe, data + at, bytes - at);
    }
}

static void read_whole(int pipe, unsigned char *data, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const ssize_t count = read(pipe, data + at, bytes - at);
        assert_true(count > 0);
        at += (size_t)count;
    }
}

static enum tf_ring_next wait_for_next(const struct tf_ring_end *end, size_t *bytes)
{
    enum tf_ring_next next;
    while ((next = tf_ring_next(end, bytes)) == TF_RING_NONE)
        tf_ring_sleep(end, SLEEP_NS);
    return next;
}

/* All messages come in their order, whichever way they go. */
static void test_order(void **state)
{
    static unsigned char expected[BYTES_MOST], data[BYTES_MOST];
    uint64_t random = test_seed(1);
    struct tf_ring *ring = shared_ring();
    struct tf_ring_end end = {.ring = ring};
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    const pid_t writer = fork();
    if (writer == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        write_all(ring, ends[1], random);
        _exit(0);
    }
    for (unsigned i = 0; i < MESSAGES; i++) {
        const size_t wanted = next_message(&random, expected);
        size_t bytes;
        if (wait_for_next(&end, &bytes) == TF_RING_HERE) {
            assert_int_equal(bytes, wanted);
            tf_ring_take(&end, data, bytes);
        } else {
            read_whole(ends[0], data, wanted);
            tf_ring_took_elsewhere(&end);
        }
        assert_memory_equal(data, expected, wanted);
    }
    int status;
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    assert_true(end.elsewhere != 0 && end.elsewhere < MESSAGES);
    munmap(ring, sizeof *ring);
    close(ends[0]);
    close(ends[1]);
}

/* A ring that is full takes no message, and none is lost. */
static void test_full(void **state)
{
    static unsigned char data[TF_RING_BYTES];
    struct tf_ring *ring = shared_ring();
    struct tf_ring_end writer = {.ring = ring}, reader = {.ring = ring};
    size_t bytes = 0, put = 0;
    (void)state;
    assert_false(tf_ring_put(&writer, data, TF_RING_BYTES));
    while (tf_ring_put(&writer, data, 1000))
        put++;
    assert_true(put > TF_RING_BYTES / 1000 - 2 && put <= TF_RING_BYTES / 1000);
    tf_ring_put_elsewhere(&writer);
    for (size_t i = 0; i < put; i++) {
        assert_int_equal(tf_ring_next(&reader, &bytes), TF_RING_HERE);
        assert_int_equal(bytes, 1000);
        tf_ring_take(&reader, data, bytes);
    }
    assert_true(tf_ring_put(&writer, data, 7));
    assert_int_equal(tf_ring_next(&reader, &bytes), TF_RING_ELSEWHERE);
    tf_ring_took_elsewhere(&reader);
    assert_int_equal(tf_ring_next(&reader, &bytes), TF_RING_HERE);
    assert_int_equal(bytes, 7);
    tf_ring_take(&reader, data, bytes);
    assert_int_equal(tf_ring_next(&reader, &bytes), TF_RING_NONE);
    munmap(ring, sizeof *ring);
}

/* Without a ring all messages go another way. */
static void test_other_host(void **state)
{
    struct tf_ring_end end = {.ring = NULL};
    size_t bytes;
    (void)state;
    assert_false(tf_ring_put(&end, "a", 1));
    tf_ring_put_elsewhere(&end);
    assert_int_equal(tf_ring_next(&end, &bytes), TF_RING_ELSEWHERE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_other_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
