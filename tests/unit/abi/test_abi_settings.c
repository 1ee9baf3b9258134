/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the board and of faults by environment variables, and what the library reports of itself. */
#include "rig.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "tilefarm/libttsim_ext.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

static struct {
    uint32_t (*version)(void);
    const char *(*library)(void);
    uint32_t (*has)(const char *);
    uint32_t (*last_error)(char *, uint32_t, uint64_t *);
    uint32_t (*soc)(char *, uint32_t);
    uint32_t (*cluster)(char *, uint32_t);
} ext;

static bool find_ext(void)
{
    const struct {
        const char *name;
        void *to;
    } symbols[] = {
        {"libttsim_ext_version", &ext.version},
        {"libttsim_ext_library", &ext.library},
        {"libttsim_ext_has", &ext.has},
        {"libttsim_ext_last_error", &ext.last_error},
        {"libttsim_ext_soc_descriptor", &ext.soc},
        {"libttsim_ext_cluster_descriptor", &ext.cluster},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = dlsym(lib.library, symbols[i].name);
        if (symbol == NULL)
            return false;
        memcpy(symbols[i].to, &symbol, sizeof symbol);
    }
    return true;
}

/* Call each function except libttsim_init(), and except the function that sets callbacks, which comes first. */
static void call(unsigned i)
{
    uint32_t value = 0;
    switch (i) {
    case 0: lib.read(BAR0, &value, 4); break;
    case 1: lib.write(BAR0, &value, 4); break;
    case 2: lib.clock(1); break;
    case 3: lib.exit(); break;
    case 4: lib.config_read(0, 0); break;
    case 5: lib.config_write(0, 4, 0); break;
    case 6: lib.tile_read(1, 2, 0, &value, 4); break;
    case 7: lib.tile_write(1, 2, 0, &value, 4); break;
    default: break;
    }
}

#define CALLS 8u

/* Returns the status with which a process ends that makes one call. */
static int status_of(unsigned i)
{
    pid_t pid = fork();
    if (pid == 0) {
        close(2);
        setenv("TILEFARM_ON_FAULT", "exit", 1);
        call(i);
        _exit(7);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Calls before libttsim_init() end as TILEFARM_ON_FAULT says, too. */
static void test_before_init(void **state)
{
    (void)state;
    for (unsigned i = 0; i <= CALLS; i++)
        assert_int_equal(status_of(i), i < CALLS ? 1 : 7);
    for (unsigned i = 0; i < CALLS; i++)
        REFUSED(call(i), "libttsim_init");
}

static void test_board(void **state)
{
    (void)state;
    char defaults[2048], before[2048], after[2048];
    ext.cluster(defaults, sizeof defaults);
    setenv("TILEFARM_BOARD", "p100a", 1);
    ext.cluster(before, sizeof before); /* as the environment asks for */
    SILENT(lib.init());
    assert_int_equal(get32(&lib, 8, 0, 0x10000200), 0x430); /* board id, high */
    assert_int_equal(get32(&lib, 17, 12, NIU_AT(0, ID_LOGICAL)), 17 | 12 << 6);
    assert_int_equal(get32(&lib, 7, 2, NIU_AT(0, NODE_ID)) & 0xFFF, 11 | 2 << 6); /* columns 7 and 10 are off */
    ext.cluster(after, sizeof after);
    assert_string_equal(before, after);
    assert_non_null(strstr(after, "harvest_mask: 192\n"));
    REFUSED(put32(&lib, 16, 5, 0, 1), "fused off");
    lib.exit();
    setenv("TILEFARM_BANKS_OFF", "9", 1);
    ext.cluster(after, sizeof after);
    assert_string_equal(after, defaults);
    REFUSED(lib.init(), "a fused-off DRAM bank does not exist");
    assert_int_equal(get32(&lib, 8, 0, 0x10000200), 0x400); /* the default board */
    lib.exit();
    unsetenv("TILEFARM_BANKS_OFF");
    setenv("TILEFARM_BOARD", "n300", 1);
    REFUSED(lib.init(), "no board");
    lib.exit();
    unsetenv("TILEFARM_BOARD");
}

/* The amount that an atomic increment by 10 adds; 0 with INCR, which is of the other profile. */
static uint32_t added(void)
{
    const uint32_t words[][2] = {{0x00, 0x30000},    {0x08, 2 | 2 << 6}, {0x0C, 0x31000}, {0x14, 1 | 2 << 6},
                                 {0x1C, 1 | 1 << 4}, {0x20, 0x103C},     {0x28, 10},      {0x40, 1}};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        put32(&lib, 1, 2, TF_NIU_BASE(0) + words[i][0], words[i][1]);
    lib.clock(20000);
    return get32(&lib, 2, 2, 0x30000);
}

static void test_settings(void **state)
{
    (void)state;
    setenv("TILEFARM_ATOMICS", "both", 1);
    REFUSED(lib.init(), "TILEFARM_ATOMICS");
    lib.exit();
    setenv("TILEFARM_ATOMICS", "emu-spec", 1);
    SILENT(lib.init());
    SILENT(assert_int_equal(added(), 1));
    lib.exit();
    unsetenv("TILEFARM_ATOMICS");
    SILENT(lib.init());
    SILENT(assert_int_equal(added(), 10));
    lib.exit();
    setenv("TILEFARM_CHECK", "yes", 1);
    REFUSED(lib.init(), "TILEFARM_CHECK");
    lib.exit();
    setenv("TILEFARM_CHECK", "1", 1);
    SILENT(lib.init());
    SILENT(assert_int_equal(added(), 10));
    SILENT(lib.exit());
    unsetenv("TILEFARM_CHECK");
    setenv("TILEFARM_ORDERED_MEMORY", "yes", 1);
    REFUSED(lib.init(), "TILEFARM_ORDERED_MEMORY");
    lib.exit();
    setenv("TILEFARM_ORDERED_MEMORY", "1", 1);
    SILENT(lib.init());
    SILENT(assert_int_equal(added(), 10));
    lib.exit();
    unsetenv("TILEFARM_ORDERED_MEMORY");
    setenv("TILEFARM_TIMING", "fine", 1);
    REFUSED(lib.init(), "TILEFARM_TIMING");
    lib.exit();
    setenv("TILEFARM_TIMING", "coarse", 1);
    SILENT(lib.init());
    SILENT(assert_int_equal(added(), 10));
    lib.exit();
    unsetenv("TILEFARM_TIMING");
    setenv("TTSIM_SEMIHOSTING", "1", 1);
    REFUSED(lib.init(), "ecall pauses the core");
    lib.exit();
    unsetenv("TTSIM_SEMIHOSTING");
    setenv("TILEFARM_CLOCK", "0x100000", 1); /* the largest that is allowed */
    SILENT(lib.init());
    lib.exit();
    setenv("TILEFARM_CLOCK", "0x100001", 1);
    REFUSED(lib.init(), "TILEFARM_CLOCK");
    lib.exit();
    unsetenv("TILEFARM_CLOCK");
}

static void test_self(void **state)
{
    (void)state;
    char text[8192], line[400];
    uint64_t count = 0, recount = 0;
    assert_int_equal(ext.version(), LIBTTSIM_EXT_VERSION);
    assert_int_equal(strncmp(ext.library(), "tilefarm ", 9), 0);
    assert_int_equal(ext.has("harvesting"), 1);
    assert_int_equal(ext.has("semihosting"), 0);
    assert_int_equal(ext.has("nonsense"), 0);
    assert_int_equal(ext.has(NULL), 0);
    uint32_t length = ext.soc(NULL, 0);
    assert_int_equal(ext.soc(text, sizeof text), length);
    assert_int_equal(strlen(text), length);
    assert_non_null(strstr(text, "arch_name: BLACKHOLE"));
    lib.init();
    ext.last_error(line, sizeof line, &count);
    REFUSED(lib.config_read(0, 2), "multiple of 4");
    length = ext.last_error(line, sizeof line, &recount);
    assert_int_equal(recount, count + 1);
    assert_int_equal(strlen(line), length);
    assert_int_equal(strncmp(line, "bad call: function=libttsim_pci_config_rd32: ", 45), 0);
    assert_int_equal(ext.last_error(line, 4, NULL), length);
    assert_string_equal(line, "bad");
    lib.exit();
    assert_int_equal(ext.last_error(NULL, 0, &recount), length); /* the setting stays */
}

/* A request to host memory without a callback. The report has the store that issued the request. */
static void test_dma_fault(void **state)
{
    (void)state;
    static const uint32_t code[] = {0xFFB202B7, 0x00100313, 0x0462A023, 0x0000006F}; /* sw t1, 0x40(NIU 0) */
    static const uint32_t request[] = {0x100, 0, 1 | 2 << 6, 0, 1u << 28, 19 | 24 << 6, 0, 0x12, 4};
    char said[1024];
    lib.init();
    put(&lib, 1, 2, 0, code, sizeof code);
    for (uint32_t i = 0; i < sizeof request / sizeof request[0]; i++)
        put32(&lib, 1, 2, TF_NIU_BASE(0) + 4 * i, request[i]);
    put32(&lib, 1, 2, DEBUG_AT(SOFT_RESET_0), 0x47000); /* B runs */
    catch_stderr();
    lib.clock(5000);
    caught_stderr(said, sizeof said);
    if (strstr(said, "tile=(1,2) core=B pc=0x00000008 instruction=0x0462a023") == NULL)
        fail_msg("%s", said);
    lib.exit();
}

static void name_file(const char *variable, const char *folder, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    setenv(variable, path, 1);
}

static bool is_kept(const char *folder, const char *name, const char *text)
{
    char path[64], line[64] = "";
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    const bool whole = file != NULL && fgets(line, sizeof line, file) != NULL && strcmp(line, text) == 0;
    if (file != NULL)
        fclose(file);
    unlink(path);
    return whole;
}

/* The second chip of a process is recorded to FILE.2, which must not be a file that the library reads either. */
static void test_second_recording(void **state)
{
    static const char text[] = "# none\n";
    char folder[] = "/tmp/tilefarm-record-XXXXXX", path[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/calls.2", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    name_file("TILEFARM_RECORD", folder, "calls");
    name_file("TILEFARM_SUPPRESS", folder, "calls.2");
    setenv("TILEFARM_CHECK", "1", 1);
    SILENT(lib.init());
    lib.exit();
    REFUSED(lib.init(), "calls.2 is the file of TILEFARM_SUPPRESS; calls are not recorded");
    lib.exit();
    unsetenv("TILEFARM_CHECK");
    unsetenv("TILEFARM_SUPPRESS");
    unsetenv("TILEFARM_RECORD");
    assert_true(is_kept(folder, "calls.2", text));
    assert_false(is_kept(folder, "calls", text)); /* a recording */
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    if (api_load(&lib, TF_LIBTTSIM) != 0 || !find_ext())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before_init), cmocka_unit_test(test_board),     cmocka_unit_test(test_settings),
        cmocka_unit_test(test_self),        cmocka_unit_test(test_dma_fault), cmocka_unit_test(test_second_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
