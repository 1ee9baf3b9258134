/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of zeros: what the host says of its pages, and that the state hash depends on what it holds alone. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <xxhash.h>

#include "host/sanitizer.h"
#include "host/zeroed.h"
#include "host/zeros.h"
#if TF_WITH_ASAN
#include <sanitizer/asan_interface.h>
#endif
#include "tile/hash.h"

#define PAGE TF_ZEROED_PAGE_BYTES
#define PAGES 1300u
#define BYTES ((size_t)PAGES * PAGE)

static bool refused;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

int __wrap_open(const char *path, int flags, ...)
{
    return refused ? -1 : __real_open(path, flags);
}

static uint8_t *take(void)
{
    uint8_t *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    madvise(memory, BYTES, MADV_NOHUGEPAGE);
    return memory;
}

/* Does this host report pages? */
static bool tells(void)
{
    uint64_t entry = 0;
    int pagemap = __real_open("/proc/self/pagemap", O_RDONLY);
    off_t offset = (off_t)((uintptr_t)&entry / PAGE * sizeof entry);
    bool read = pagemap >= 0 && pread(pagemap, &entry, sizeof entry, offset) == sizeof entry && entry >> 63 != 0;
    if (pagemap >= 0)
        close(pagemap);
    return read && sysconf(_SC_PAGESIZE) == PAGE;
}

/* Can this host make several pages present with one call? */
static bool finds(void)
{
#ifdef MADV_POPULATE_WRITE
    uint8_t *memory = take();
    int rc = madvise(memory, PAGE, MADV_POPULATE_WRITE);
    munmap(memory, BYTES);
    return rc == 0;
#else
    return false;
#endif
}

static void look(const uint8_t *memory, bool *touched)
{
    for (unsigned page = 0; page < PAGES; page += TF_ZEROED_LOOK_PAGES) {
        unsigned left = PAGES - page;
        tf_zeroed_look(memory + (size_t)page * PAGE, left < TF_ZEROED_LOOK_PAGES ? left : TF_ZEROED_LOOK_PAGES,
                       touched + page);
    }
}

static void told_is_what_was_written_to(void **state)
{
    (void)state;
    static bool touched[PAGES];
    uint8_t *memory = take();
    memory[3 * PAGE] = memory[511 * PAGE + 7] = memory[512 * PAGE] = memory[BYTES - 1] = 1;
    look(memory, touched);
    for (unsigned page = 0; page < PAGES; page++)
        if (page == 3 || page == 511 || page == 512 || page == PAGES - 1)
            assert_true(touched[page]);
        else
            assert_int_equal(touched[page], !tells());
    munmap(memory, BYTES);
}

static void a_host_that_tells_nothing_has_touched_all(void **state)
{
    (void)state;
    static bool touched[PAGES];
    uint8_t *memory = take();
    refused = true;
    look(memory, touched);
    refused = false;
    for (unsigned page = 0; page < PAGES; page++)
        assert_true(touched[page]);
    munmap(memory, BYTES);
}

static void touching_changes_nothing(void **state)
{
    (void)state;
    static bool touched[PAGES];
    uint8_t *memory = take();
    memory[11 * PAGE + 5] = 42;
    assert_int_equal(memory[12 * PAGE], 0); /* read, not yet written to */
    tf_zeroed_touch(memory + 10 * PAGE + 100, 3 * PAGE);
    look(memory, touched);
    for (unsigned page = 0; page < PAGES; page++)
        if (page >= 10 && page <= 13 ? finds() : tells() && page != 11 && page != 12)
            assert_int_equal(touched[page], page >= 10 && page <= 13);
    for (size_t i = 0; i < BYTES; i++)
        assert_int_equal(memory[i], i == 11 * PAGE + 5 ? 42 : 0);
    munmap(memory, BYTES);
}

static void touching_ends_with_the_range(void **state)
{
    (void)state;
    static bool touched[PAGES];
    uint8_t *memory = take();
    tf_zeroed_touch(memory + 20 * PAGE, 2 * PAGE);
    look(memory, touched);
    for (unsigned page = 19; page < 24 && tells() && finds(); page++)
        assert_int_equal(touched[page], page == 20 || page == 21);
    munmap(memory, BYTES);
}

/* A process without standard input opens a file as descriptor 0. */
static void looking_leaves_no_file_open(void **state)
{
    (void)state;
    static bool touched[PAGES];
    uint8_t *memory = take();
    int kept = dup(0);
    close(0);
    look(memory, touched);
    int flags = fcntl(0, F_GETFD);
    if (kept >= 0) {
        dup2(kept, 0);
        close(kept);
    }
    assert_int_equal(flags, -1);
    munmap(memory, BYTES);
}

static uint64_t hash_of(const uint8_t *data, size_t bytes)
{
    struct tf_hash hash = {.state = XXH3_createState()};
    XXH3_64bits_reset(hash.state);
    tf_hash_memory(&hash, data, bytes);
    uint64_t digest = XXH3_64bits_digest(hash.state);
    XXH3_freeState(hash.state);
    return digest;
}

/* A copy at an odd place, whose pages are all touched. */
static uint64_t hash_of_copy(const uint8_t *data, size_t bytes)
{
    uint8_t *copy = malloc(bytes + 16);
    assert_non_null(copy);
    memcpy(copy + 16, data, bytes);
    uint64_t digest = hash_of(copy + 16, bytes);
    free(copy);
    return digest;
}

/* Memory that is looked at for the first time, with bytes that are not zero at these places. */
static uint8_t *take_with(const size_t *at, unsigned count)
{
    uint8_t *memory = take();
    for (unsigned i = 0; i < count; i++)
        memory[at[i]] = (uint8_t)(i + 1);
    return memory;
}

static void hash_equals_that_of_a_copy(void **state)
{
    (void)state;
    static const size_t at[] = {0, 5 * PAGE + 3, 511 * PAGE, 512 * PAGE + 1, 1024 * PAGE - 1, BYTES - 1};
    uint64_t before = 0;
    for (unsigned count = 0; count <= sizeof at / sizeof *at; count++) {
        uint8_t *memory = take_with(at, count);
        uint64_t hash = hash_of(memory, BYTES);
        assert_int_not_equal(hash, before);
        assert_int_equal(hash, hash_of_copy(memory, BYTES));
        assert_int_equal(hash_of(memory, BYTES - 100), hash_of_copy(memory, BYTES - 100));
        refused = true;
        assert_int_equal(hash_of(memory, BYTES), hash);
        refused = false;
        before = hash;
        munmap(memory, BYTES);
    }
}

/* Bytes from an odd place: each page of them lies in two of the host's. */
static void an_odd_place_is_asked_about(void **state)
{
    (void)state;
    static const size_t at[] = {4 * PAGE + 50, 100 * PAGE + 4090};
    uint8_t *memory = take_with(at, 2);
    bool touched[TF_ZEROED_LOOK_PAGES];
    tf_zeroed_ask(NULL, memory + 100, TF_ZEROED_LOOK_PAGES * PAGE, touched);
    assert_true(touched[3] && touched[100]);
    assert_false(touched[2] || touched[5] || touched[98] || touched[101]);
    memory[TF_ZEROED_LOOK_PAGES * PAGE + 20] = 1;
    tf_zeroed_ask(NULL, memory + 100, TF_ZEROED_LOOK_PAGES * PAGE, touched);
    assert_true(touched[TF_ZEROED_LOOK_PAGES - 1]);
    munmap(memory, BYTES);
}

#if TF_WITH_ASAN
/* Large memory does not come from malloc(), and its end is guarded all the same. */
static void an_end_is_guarded(void **state)
{
    (void)state;
    for (size_t bytes = 300 * 1024; bytes <= 300 * 1024 + PAGE; bytes += PAGE / 2) {
        uint8_t *memory = tf_zeroed_take(bytes);
        assert_non_null(memory);
        assert_false(__asan_address_is_poisoned(memory) || __asan_address_is_poisoned(memory + bytes - 1));
        assert_true(__asan_address_is_poisoned(memory + bytes));
        tf_zeroed_give(memory, bytes);
    }
}

static void dense_ends_are_guarded(void **state)
{
    (void)state;
    const size_t huge = 2u << 20;
    for (size_t bytes = huge - PAGE; bytes <= 2 * huge; bytes += huge / 8) {
        uint8_t *memory = tf_zeroed_take_dense(bytes, PAGE);
        assert_non_null(memory);
        assert_false(__asan_address_is_poisoned(memory) || __asan_address_is_poisoned(memory + bytes - 1));
        assert_true(__asan_address_is_poisoned(memory + bytes));
        tf_zeroed_give_dense(memory, bytes);
    }
}

static void hash_all(const uint8_t *memory, size_t bytes)
{
    struct tf_hash hash = {.state = XXH3_createState()};
    XXH3_64bits_reset(hash.state);
    tf_hash_bytes(&hash, memory, bytes);
    XXH3_freeState(hash.state);
}

static void compare_all(const uint8_t *memory, size_t bytes)
{
    tf_zeros(memory, bytes);
}

/* Does a child that reads these bytes end as AddressSanitizer ends it? Its report would look like one of this test. */
static bool is_caught(void (*read)(const uint8_t *, size_t), const uint8_t *memory, size_t bytes)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        read(memory, bytes);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status != 0;
}

/* These files are compiled without checks, and say what they read. */
static void unchecked_files_read_no_foreign_memory(void **state)
{
    (void)state;
    enum { ALL = 4000, FOREIGN = 2000 };
    uint8_t *memory = calloc(ALL, 1);
    assert_non_null(memory);
    ASAN_POISON_MEMORY_REGION(memory + FOREIGN, 8);
    assert_false(is_caught(hash_all, memory, FOREIGN));
    assert_true(is_caught(hash_all, memory, ALL));
    assert_false(is_caught(compare_all, memory, FOREIGN));
    assert_true(is_caught(compare_all, memory, ALL));
    ASAN_UNPOISON_MEMORY_REGION(memory + FOREIGN, 8);
    free(memory);
}
#endif

/* The hash of all bytes, with a look or without. */
static uint64_t hash_of_parts(const uint8_t *memory, const size_t (*part)[2], unsigned parts, bool looked)
{
    struct tf_hash hash = {.state = XXH3_createState()};
    XXH3_64bits_reset(hash.state);
    if (looked)
        tf_looked_begin(&hash.looked, memory, BYTES);
    for (unsigned i = 0; i < parts; i++)
        tf_hash_bytes(&hash, memory + part[i][0], part[i][1]);
    tf_looked_end(&hash.looked);
    uint64_t digest = XXH3_64bits_digest(hash.state);
    XXH3_freeState(hash.state);
    return digest;
}

/* Parts on untouched pages are not read; the hash is that of their zeros. */
static void a_look_changes_no_hash(void **state)
{
    (void)state;
    static const size_t at[] = {3 * PAGE + 17, 600 * PAGE};
    static const size_t part[][2] = {{0, 8192},          {2 * PAGE + 5, 2 * PAGE},
                                     {3 * PAGE, 100},    {4 * PAGE, 3 * PAGE},
                                     {599 * PAGE, PAGE}, {599 * PAGE, PAGE + 1},
                                     {700 * PAGE, 0},    {800 * PAGE, 6 * PAGE}};
    const unsigned parts = sizeof part / sizeof *part;
    uint8_t *memory = take_with(at, 2);
    bool touched[8];
    uint64_t looked = hash_of_parts(memory, part, parts - 1, true);
    tf_zeroed_look(memory, 8, touched);
    assert_false(touched[0] || touched[1] || touched[5]);
    assert_int_equal(looked, hash_of_parts(memory, part, parts - 1, false));
    assert_int_equal(hash_of_parts(memory, part, parts, true), hash_of_parts(memory, part, parts, false));
    refused = true;
    assert_int_equal(hash_of_parts(memory, part, parts - 1, true), looked);
    refused = false;
    munmap(memory, BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(told_is_what_was_written_to),
        cmocka_unit_test(a_host_that_tells_nothing_has_touched_all),
        cmocka_unit_test(touching_changes_nothing),
        cmocka_unit_test(touching_ends_with_the_range),
        cmocka_unit_test(looking_leaves_no_file_open),
        cmocka_unit_test(hash_equals_that_of_a_copy),

#if TF_WITH_ASAN
        cmocka_unit_test(an_end_is_guarded),
        cmocka_unit_test(dense_ends_are_guarded),
        cmocka_unit_test(unchecked_files_read_no_foreign_memory),
#endif
        cmocka_unit_test(an_odd_place_is_asked_about),
        cmocka_unit_test(a_look_changes_no_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
