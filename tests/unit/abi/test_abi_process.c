/* SPDX-License-Identifier: Apache-2.0 */
/* The library in its process: loaded repeatedly, twice, from a sealed copy, and across forks; with workers and
   without. */
#include "rig.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "fresh_stacks.h"
#include "tilefarm/tilefarm_chip.h"
#include "addresses.h"

static unsigned threads(void)
{
    unsigned count = 0;
    DIR *dir = opendir("/proc/self/task");
    assert_non_null(dir);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir))
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

/* Programs of two instructions that count in a register for ever, on all cores of all tiles. */
static void keep_busy(const struct api *api)
{
    const uint32_t code[] = {0x00128293, 0xFFDFF06F}; /* addi t0, t0, 1; j -4 */
    for (unsigned y = 2; y < 12; y++)
        for (unsigned x = 1; x < 17; x++)
            if (x != 8 && x != 9) {
                put(api, x, y, 0, code, sizeof code);
                put32(api, x, y, DEBUG_AT(SOFT_RESET_0), 0x47000);
            }
}

static void test_repetition(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        lib.init();
        assert_int_equal(get32(&lib, 1, 2, 0x400), 0); /* a new chip */
        put32(&lib, 1, 2, 0x400, 7);
        assert_int_equal(get32(&lib, 1, 2, 0x400), 7);
        lib.clock(100);
        lib.exit();
    }
}

static void *nothing(void *argument)
{
    return argument;
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t thread; /* with the first thread, sanitizers start a thread of their own */
    assert_int_equal(pthread_create(&thread, NULL, nothing, NULL), 0);
    pthread_join(thread, NULL);
    unsigned before = threads();
    setenv("TILEFARM_THREADS", "3", 1);
    lib.init();
    assert_int_equal(threads(), before);
    lib.clock(1000);
    put32(&lib, 5, 5, 0x400, 7);
    lib.clock(1000);
    assert_int_equal(threads(), before); /* nothing to do */
    keep_busy(&lib);
    for (unsigned i = 0; i < 50 && threads() == before; i++)
        lib.clock(20000);
    assert_int_equal(threads(), before + 2);
    lib.exit();
    unsetenv("TILEFARM_THREADS");
    assert_int_equal(threads(), before);
}

static int sealed_copy(void)
{
    int from = open(TF_LIBTTSIM, O_RDONLY | O_CLOEXEC), to = memfd_create("copy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    static char buffer[1 << 16];
    assert_true(from >= 0 && to >= 0);
    for (ssize_t got = read(from, buffer, sizeof buffer); got > 0; got = read(from, buffer, sizeof buffer))
        assert_int_equal(write(to, buffer, (size_t)got), got);
    close(from);
    assert_int_equal(fcntl(to, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE), 0);
    return to;
}

/* The file stays open. Otherwise the next copy would have its name. */
static int load_copy(struct api *copy)
{
    char path[64];
    int fd = sealed_copy();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assert_int_equal(api_load(copy, path), 0);
    return fd;
}

static void test_two_copies(void **state)
{
    (void)state;
    struct api copy;
    int fd = load_copy(&copy);
    assert_true(copy.init != lib.init);
    lib.init();
    copy.init();
    put32(&lib, 3, 3, 0x100, 1);
    put32(&copy, 3, 3, 0x100, 2);
    keep_busy(&copy);
    copy.clock(5000);
    lib.clock(5000);
    assert_int_equal(get32(&lib, 3, 3, 0x100), 1);
    assert_int_equal(get32(&copy, 3, 3, 0x100), 2);
    lib.exit();
    assert_int_equal(get32(&copy, 3, 3, 0x100), 2);
    copy.exit();
    dlclose(copy.library);
    close(fd);
}

static void on_mine(int number)
{
    (void)number;
}

static bool mine_is_back(void)
{
    struct sigaction present;
    assert_int_equal(sigaction(SIGUSR1, NULL, &present), 0);
    return present.sa_handler == on_mine;
}

/* Copies that had SIGUSR1 leave no handler, in any order of their ends. */
static void test_signals_of_two_copies(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = on_mine}, present;
    struct api one, other;
    setenv("TILEFARM_SIGUSR1", "1", 1);
    for (unsigned order = 0; order < 3; order++) {
        sigaction(SIGUSR1, &action, NULL);
        const int fds[] = {load_copy(&one), load_copy(&other)};
        one.init();
        other.init();
        struct api *first = order == 0 ? &other : &one, *last = order == 0 ? &one : &other;
        first->exit();
        if (order == 2) /* the other copy then knows only a handler that is gone */
            dlclose(first->library);
        assert_false(mine_is_back());
        last->exit();
        assert_int_equal(mine_is_back(), order == 0);
        dlclose(last->library);
        if (order != 2)
            dlclose(first->library);
        close(fds[0]);
        close(fds[1]);
        assert_int_equal(sigaction(SIGUSR1, NULL, &present), 0);
        assert_true(present.sa_handler == (order == 2 ? SIG_DFL : on_mine));
    }
    unsetenv("TILEFARM_SIGUSR1");
    signal(SIGUSR1, SIG_DFL);
}

/* A program that forgets to call exit(). Its library can be unloaded. */
static void test_unloaded(void **state)
{
    (void)state;
    unsigned before = threads();
    setenv("TILEFARM_THREADS", "3", 1);
    for (unsigned i = 0; i < 3; i++) {
        struct api copy;
        close(load_copy(&copy));
        copy.init();
        keep_busy(&copy);
        for (unsigned k = 0; k < 50 && threads() == before; k++)
            copy.clock(20000);
        assert_int_equal(threads(), before + 2);
        dlclose(copy.library);
        assert_int_equal(threads(), before);
    }
    unsetenv("TILEFARM_THREADS");
}

static int child(uint32_t mine)
{
    use_fresh_stacks();
    bool good = get32(&lib, 2, 2, 0x400) == 1;
    put32(&lib, 2, 2, 0x400, mine);
    for (unsigned i = 0; i < 20; i++)
        lib.clock(20000);
    good = good && get32(&lib, 2, 2, 0x400) == mine;
    lib.exit();
    lib.init();
    good = good && get32(&lib, 2, 2, 0x400) == 0;
    lib.exit();
    return good ? 0 : 1;
}

static void fork_children(void)
{
    pid_t children[3];
    for (unsigned i = 0; i < 3; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(child(10 + i));
    }
    lib.clock(20000);
    for (unsigned i = 0; i < 3; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(get32(&lib, 2, 2, 0x400), 1);
}

static void test_fork(void **state)
{
    (void)state;
    setenv("TILEFARM_THREADS", "2", 1);
    lib.init();
    put32(&lib, 2, 2, 0x400, 1);
    fork_children(); /* before there are workers */
    keep_busy(&lib);
    for (unsigned i = 0; i < 20; i++)
        lib.clock(20000);
    fork_children();
    lib.clock(20000);
    lib.exit();
    unsetenv("TILEFARM_THREADS");
}

/* Count bytes of executable memory that belongs to no file, or that can be written. Sanitizers have some. */
static unsigned long long made_code(void)
{
    char line[512], rights[5], path[256];
    unsigned long long from, to, sum = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps) != NULL) {
        path[0] = '\0';
        if (sscanf(line, "%llx-%llx %4s %*s %*s %*s %255s", &from, &to, rights, path) >= 3 && rights[2] == 'x' &&
            (path[0] == '\0' || rights[1] == 'w'))
            sum += to - from;
    }
    fclose(maps);
    return sum;
}

/* The library is a well-behaved guest: it handles no signals and makes no code. */
static void test_signals_and_code(void **state)
{
    (void)state;
    struct sigaction before[32], after;
    unsigned long long code = made_code();
    for (int i = 1; i < 32; i++)
        sigaction(i, NULL, &before[i]);
    setenv("TILEFARM_THREADS", "2", 1);
    lib.init();
    keep_busy(&lib);
    lib.clock(20000);
    assert_int_equal(made_code(), code);
    for (int i = 1; i < 32; i++)
        if (sigaction(i, NULL, &after) == 0)
            assert_true(after.sa_handler == before[i].sa_handler && after.sa_flags == before[i].sa_flags);
    lib.exit();
    unsetenv("TILEFARM_THREADS");
}

static void test_stdout_and_symbols(void **state)
{
    (void)state;
    assert_null(dlsym(lib.library, "tf_run"));
    assert_null(dlsym(lib.library, "tf_chip_create"));
    fflush(stdout);
    int kept_out = dup(1), out = memfd_create("out", 0);
    dup2(out, 1);
    lib.init();
    lib.clock(1000);
    lib.exit();
    fflush(stdout);
    dup2(kept_out, 1);
    assert_int_equal(lseek(out, 0, SEEK_END), 0);
    close(out);
    close(kept_out);
}

static struct {
    pthread_t caller;
    unsigned calls, strangers;
    char said[4096];
} callback;

/* A callback runs on the thread that called, and must not call the simulator: such calls are refused. */
static void call_back(void)
{
    uint32_t word = 0;
    callback.calls++;
    callback.strangers += !pthread_equal(callback.caller, pthread_self());
    catch_stderr();
    lib.exit();
    lib.init();
    lib.clock(100);
    lib.read(BAR0 + 0x1FC00000, &word, 4);
    lib.config_write(0, 4, 0);
    caught_stderr(callback.said, sizeof callback.said);
    assert_int_equal(word, UINT32_MAX);
    assert_int_equal(lines(callback.said), 5);
    assert_non_null(strstr(callback.said, "libttsim_exit: a callback must not"));
    assert_non_null(strstr(callback.said, "libttsim_init: the chip exists"));
    assert_non_null(strstr(callback.said, "libttsim_pci_mem_rd_bytes: a callback must not"));
}

static void callback_reads(uint64_t address, void *data, uint32_t bytes)
{
    call_back();
    host_reads(address, data, bytes);
}

static void callback_writes(uint64_t address, const void *data, uint32_t bytes)
{
    call_back();
    host_writes(address, data, bytes);
}

/* Make the NIU of a tile copy 64 bytes from L1 to host memory: MemoryMap.md. */
static void tile_writes_host(unsigned x, unsigned y)
{
    const uint32_t niu = TF_NIU_BASE(0);
    put32(&lib, x, y, niu + 0x00, 0x1000);
    put32(&lib, x, y, niu + 0x0C, 0x40 * x);
    put32(&lib, x, y, niu + 0x10, 0x10000000); /* the host, of the PCIe tile's address space */
    put32(&lib, x, y, niu + 0x14, 19 | 24 << 6);
    put32(&lib, x, y, niu + 0x1C, 2 | 1 << 4);
    put32(&lib, x, y, niu + 0x20, 64);
    put32(&lib, x, y, niu + 0x40, 1);
}

static void test_callbacks(void **state)
{
    (void)state;
    setenv("TILEFARM_THREADS", "3", 1);
    lib.set_callbacks(callback_reads, callback_writes);
    lib.init();
    callback.caller = pthread_self();
    put32(&lib, 19, 24, 4ull << 58, 0x1234);
    assert_int_equal(get32(&lib, 19, 24, 4ull << 58), 0x1234);
    assert_int_equal(callback.calls, 2);
    keep_busy(&lib);
    for (unsigned i = 0; i < 10; i++) {
        for (unsigned x = 1; x < 8; x++)
            tile_writes_host(x, 2);
        lib.clock(50000);
    }
    assert_int_equal(callback.calls, 2 + 10 * 7);
    assert_int_equal(callback.strangers, 0);
    lib.exit();
    lib.set_callbacks(host_reads, host_writes);
    unsetenv("TILEFARM_THREADS");
}

/* TILEFARM_ON_FAULT=exit: the process ends at the first bad call, with ttsim's status. */
static void test_exit_on_fault(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        uint32_t value;
        close(2);
        setenv("TILEFARM_ON_FAULT", "exit", 1);
        lib.init();
        lib.read(BAR0 + 0x1FC00000, &value, 4);
        lib.read(0x1000, &value, 4);
        _exit(7);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
}

int main(void)
{
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals_and_code),
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_two_copies),
        cmocka_unit_test(test_signals_of_two_copies),
        cmocka_unit_test(test_unloaded),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_stdout_and_symbols),
        cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_exit_on_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
