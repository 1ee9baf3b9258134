/* SPDX-License-Identifier: Apache-2.0 */
/* Several chips in one library: devices, windows, host memory, time, links and reports. For both families. */
#include "several.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "tilefarm/libttsim_ext.h"
#include "addresses.h"

#ifdef TF_WORMHOLE
#define DEVICE_ID 0x401E1E52u
#define SYSTEM "t3000"
#define CHIPS 8u
#define BAR4_BYTES (32ull << 20)
#else
#define DEVICE_ID 0xB1401E52u
#define SYSTEM "p300"
#define CHIPS 2u
#define BAR4_BYTES (1ull << 35)
#endif

static struct tf_cluster cluster;

static uint64_t bar(unsigned device, unsigned number)
{
    const uint32_t at = 0x10 + 4 * number;
    return (lib.config_read(device << 3, at) & ~15u) | (uint64_t)lib.config_read(device << 3, at + 4) << 32;
}

static void begin(void)
{
    put_beside(SYSTEM, &cluster);
    SILENT(lib.init());
}

static void test_devices(void **state)
{
    (void)state;
    begin();
    for (unsigned i = 0; i < 32; i++) {
        const bool exists = i < cluster.chips && cluster.chip[i].pcie;
        assert_int_equal(lib.config_read(i << 3, 0), exists ? DEVICE_ID : UINT32_MAX);
        assert_int_equal(lib.config_read(i << 3 | 1, 0), UINT32_MAX); /* another function */
        assert_int_equal(lib.config_read(1 << 8 | i << 3, 0), UINT32_MAX);
        if (!exists) {
            REFUSED(lib.config_write(i << 3, 4, 0), "no such device");
            continue;
        }
        assert_true(bar(i, 0) == BAR0 + i * STRIDE);
        assert_true(bar(i, 2) == BAR2 + i * STRIDE);
        assert_true(bar(i, 4) == BAR4 + i * STRIDE);
        lib.config_write(i << 3, 0x20, UINT32_MAX); /* the size of a BAR */
        lib.config_write(i << 3, 0x24, UINT32_MAX);
        assert_true((~bar(i, 4) | 15) + 1 == BAR4_BYTES);
        lib.config_write(i << 3, 4, 0x100 + i);
    }
    for (unsigned i = 0; i < cluster.chips && cluster.chip[i].pcie; i++)
        assert_int_equal(lib.config_read(i << 3, 4), 0x100 + i);
    uint32_t word = 0;
    REFUSED(lib.read(BAR0 + 31 * STRIDE, &word, 4), "in no BAR");
    assert_int_equal(word, UINT32_MAX);
    lib.exit();
}

/* A number of a device differs from its place among the devices, as tt-umd has it. */
static void test_gap(void **state)
{
    (void)state;
#ifdef TF_WORMHOLE
    put_beside("2xn300", &cluster);
    SILENT(lib.init());
    assert_true(cluster.chip[0].pcie && !cluster.chip[1].pcie && cluster.chip[2].pcie);
    assert_int_equal(lib.config_read(0 << 3, 0), DEVICE_ID);
    assert_int_equal(lib.config_read(1 << 3, 0), UINT32_MAX);
    assert_int_equal(lib.config_read(2 << 3, 0), DEVICE_ID);
    put32(on(2), TENSIX_X, TENSIX_Y, 0x400, 7);
    assert_int_equal(get32(on(0), TENSIX_X, TENSIX_Y, 0x400), 0);
    uint32_t word;
    REFUSED(lib.read(BAR0 + STRIDE, &word, 4), "in no BAR");
    lib.exit();
#endif
}

static void test_windows(void **state)
{
    (void)state;
    begin();
    uint8_t data[5000], read[5000];
    for (unsigned i = 0; i < 2; i++) {
        fill(data, sizeof data, 40 + i);
        put(on(i), TENSIX_X, TENSIX_Y, 0x1000, data, sizeof data);
    }
    for (unsigned i = 0; i < 2; i++) {
        fill(data, sizeof data, 40 + i);
        get(on(i), TENSIX_X, TENSIX_Y, 0x1000, read, sizeof read);
        assert_memory_equal(data, read, sizeof data);
    }
    /* Each device has windows of its own. */
    const uint64_t first = aim(on(0), TENSIX_X, TENSIX_Y, 0), second = aim(on(1), TENSIX_X + 1, TENSIX_Y, 0);
    const uint32_t word = 0x12345678;
    lib.write(first + 0x100, &word, 4);
    lib.write(second + STRIDE + 0x100, &word, 4);
    assert_int_equal(get32(on(0), TENSIX_X, TENSIX_Y, 0x100), word);
    assert_int_equal(get32(on(0), TENSIX_X + 1, TENSIX_Y, 0x100), 0);
    assert_int_equal(get32(on(1), TENSIX_X + 1, TENSIX_Y, 0x100), word);
    uint32_t value = 0;
    REFUSED(lib.tile_read(TENSIX_X, TENSIX_Y, 0x100, &value, 4), "several chips");
    assert_int_equal(value, UINT32_MAX);
    lib.exit();
}

static uint64_t host_address;

static void host_reads_address(uint64_t address, void *data, uint32_t bytes)
{
    host_address = address;
    memset(data, 0x5A, bytes);
}

static void host_writes_address(uint64_t address, const void *data, uint32_t bytes)
{
    (void)data;
    (void)bytes;
    host_address = address;
}

/* As tt-umd programs them: a region of the outbound iATU leads each chip to host memory of its own. */
static void test_host_memory(void **state)
{
    (void)state;
    lib.set_callbacks(host_reads_address, host_writes_address);
    begin();
#ifdef TF_WORMHOLE
    const uint64_t iatu = BAR2 + 0x1200, host = 0x800000000ull;
    const unsigned x = 0, y = 3;
#else
    const uint64_t iatu = BAR2 + 0x1000, host = 1ull << 60;
    const unsigned x = 19, y = 24;
#endif
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t high = i << 4; /* 64 GiB apart */
        const uint32_t words[][2] = {{0x04, 0},          {0x00, 0}, {0x08, 0},    {0x0C, 0},
                                     {0x10, 0x3FFFFFFF}, {0x14, 0}, {0x18, high}, {0x04, 1u << 31}};
        for (unsigned j = 0; j < sizeof words / sizeof words[0]; j++)
            on(i)->write(iatu + words[j][0], &words[j][1], 4);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(get32(on(i), x, y, host + 0x1240), 0x5A5A5A5A);
        assert_true(host_address == i * STRIDE + 0x1240);
        put32(on(i), x, y, host + 0x2240, 1);
        assert_true(host_address == i * STRIDE + 0x2240);
    }
    lib.exit();
    lib.set_callbacks(host_reads, host_writes);
}

/* ---- Links ---- */

#define CODE 0x18000u
#define FROM 0x20000u
#define TO 0x21000u

/* The coordinates by which windows reach the Ethernet tile of a port. */
static void port_place(unsigned port, unsigned *x, unsigned *y)
{
#ifdef TF_WORMHOLE
    struct tf_coord coord = {0, 0};
    assert_int_equal(tf_port_coord(cluster.arch, port, &coord), TF_OK);
    *x = coord.x;
    *y = coord.y;
#else
    *x = 20 + port;
    *y = 25;
#endif
}

/* E0 of a port's tile executes a program from now on. */
static void start(struct tf_cluster_end end, const uint32_t *code, uint32_t bytes)
{
    unsigned x, y;
    port_place(end.port, &x, &y);
    const struct api *device = on(end.chip);
    put32(device, x, y, DEBUG_AT(SOFT_RESET_0), 0x47800 | 0x1800);
    put(device, x, y, CODE, code, bytes);
#ifdef TF_WORMHOLE
    put32(device, x, y, TF_ETH_LINK_BASE + 0x409C, CODE);
#else
    put32(device, x, y, TF_LOCAL_OF_B_BASE, CODE);
#endif
    put32(device, x, y, DEBUG_AT(SOFT_RESET_0), 0x47000 | 0x1000);
}

/* TXQ0 writes 64 bytes to the peer's L1. */
static void send(struct tf_cluster_end end)
{
    const uint32_t code[] = {
        0xFFB902B7,                           /* lui t0, 0xFFB90 */
        FROM | 0x337, 0x0062AA23,             /* lui t1, FROM; sw t1, 0x14(t0) */
        TO | 0x337,   0x0062AE23,             /* lui t1, TO; sw t1, 0x1C(t0) */
        0x04000313,   0x0062AC23,             /* li t1, 64; sw t1, 0x18(t0) */
        0x00200313,   0x0062A223, 0x0000006F, /* li t1, 2; sw t1, 4(t0); j . */
    };
    start(end, code, sizeof code);
}

static void test_links(void **state)
{
    (void)state;
    begin();
    unsigned sent = 0, x, y;
    for (unsigned i = 0; i < cluster.links; i++) {
        const struct tf_cluster_end *end = cluster.link[i].end;
        if (!cluster.chip[end[0].chip].pcie || !cluster.chip[end[1].chip].pcie)
            continue;
        port_place(end[0].port, &x, &y);
        for (unsigned word = 0; word < 16; word++)
            put32(on(end[0].chip), x, y, FROM + 4 * word, 0xABC00000 + 16 * i + word);
        port_place(end[1].port, &x, &y);
        send(end[0]);
        assert_int_equal(get32(on(end[1].chip), x, y, TO), 0);
        sent++;
    }
    assert_true(sent >= 2);
    lib.clock(500); /* less than a link takes */
    for (unsigned i = 0; i < cluster.links; i++) {
        const struct tf_cluster_end *end = cluster.link[i].end;
        port_place(end[1].port, &x, &y);
        if (cluster.chip[end[0].chip].pcie && cluster.chip[end[1].chip].pcie)
            assert_int_equal(get32(on(end[1].chip), x, y, TO), 0);
    }
    lib.clock(3000);
    for (unsigned i = 0; i < cluster.links; i++) {
        const struct tf_cluster_end *end = cluster.link[i].end;
        if (!cluster.chip[end[0].chip].pcie || !cluster.chip[end[1].chip].pcie)
            continue;
        port_place(end[1].port, &x, &y);
        for (unsigned word = 0; word < 16; word++)
            assert_int_equal(get32(on(end[1].chip), x, y, TO + 4 * word), 0xABC00000 + 16 * i + word);
    }
    lib.exit();
}

/* The first link between chips that have devices. */
static const struct tf_cluster_end *first_link(void)
{
    for (unsigned i = 0; i < cluster.links; i++)
        if (cluster.chip[cluster.link[i].end[0].chip].pcie && cluster.chip[cluster.link[i].end[1].chip].pcie)
            return cluster.link[i].end;
    fail_msg("no link");
    return NULL;
}

/* Send a word over a link. Returns what has arrived after some cycles. */
static uint32_t sent_for(const struct tf_cluster_end *end, uint32_t cycles)
{
    unsigned x, y;
    port_place(end[0].port, &x, &y);
    put32(on(end[0].chip), x, y, FROM, 0xABCDEF01);
    send(end[0]);
    lib.clock(cycles);
    port_place(end[1].port, &x, &y);
    return get32(on(end[1].chip), x, y, TO);
}

/* Links are as slow, and go wrong, as the environment says. */
static void test_link_settings(void **state)
{
    (void)state;
    char fault[32];
    setenv("TILEFARM_LINK_LATENCY", "20000", 1);
    begin();
    const struct tf_cluster_end *end = first_link();
    assert_int_equal(sent_for(end, 15000), 0);
    lib.clock(10000);
    assert_int_equal(sent_for(end, 0), 0xABCDEF01);
    lib.exit();
    setenv("TILEFARM_LINK_LATENCY", "5", 1);
    REFUSED(lib.init(), "TILEFARM_LINK_LATENCY is not a number from 1024 to 65536");
    assert_int_equal(sent_for(end, 3500), 0xABCDEF01);
    lib.exit();
    unsetenv("TILEFARM_LINK_LATENCY");
    setenv("TILEFARM_LINK_GBPS", "1", 1); /* a byte takes 8 cycles or more */
    begin();
    assert_int_equal(sent_for(end, 1500), 0);
    lib.exit();
    unsetenv("TILEFARM_LINK_GBPS");
    snprintf(fault, sizeof fault, "%u:%u down", end[0].chip, end[0].port);
    setenv("TILEFARM_LINK_FAULT", fault, 1);
    begin();
    assert_int_equal(sent_for(end, 50000), 0);
    lib.exit();
    setenv("TILEFARM_LINK_FAULT", "x down", 1);
    REFUSED(lib.init(), "TILEFARM_LINK_FAULT: a link fault begins with a port");
    assert_int_equal(sent_for(end, 3500), 0xABCDEF01);
    lib.exit();
    unsetenv("TILEFARM_LINK_FAULT");
}

/* ---- Time ---- */

#define WALL_CLOCK DEBUG_AT(CLOCK_L)

/* B counts for ever at 0x400. */
static void count(const struct api *device)
{
    const uint32_t code[] = {0x00128293, 0x40502023, 0xFF9FF06F}; /* addi t0, t0, 1; sw t0, 0x400(x0); j -8 */
    put(device, TENSIX_X, TENSIX_Y, 0, code, sizeof code);
    put32(device, TENSIX_X, TENSIX_Y, DEBUG_AT(SOFT_RESET_0), 0x47000);
}

static void test_time(void **state)
{
    (void)state;
    begin();
    uint32_t before[2], counted[2];
    count(on(1)); /* the other chip is idle */
    for (unsigned i = 0; i < 2; i++)
        before[i] = get32(on(i), TENSIX_X, TENSIX_Y, WALL_CLOCK);
    assert_int_equal(before[0], before[1]);
    lib.clock(100000);
    for (unsigned i = 0; i < 2; i++)
        assert_true(get32(on(i), TENSIX_X, TENSIX_Y, WALL_CLOCK) - before[i] >= 100000);
    assert_int_equal(get32(on(0), TENSIX_X, TENSIX_Y, WALL_CLOCK), get32(on(1), TENSIX_X, TENSIX_Y, WALL_CLOCK));
    assert_true(get32(on(1), TENSIX_X, TENSIX_Y, 0x400) > 10000);
    count(on(0));
    lib.clock(10000);
    for (unsigned i = 0; i < 2; i++)
        counted[i] = get32(on(i), TENSIX_X, TENSIX_Y, 0x400);
    assert_true(counted[0] > 1000 && counted[1] > counted[0]);
    put32(on(1), TENSIX_X, TENSIX_Y, DEBUG_AT(SOFT_RESET_0), 0x47800);
    put32(on(0), TENSIX_X, TENSIX_Y, DEBUG_AT(SOFT_RESET_0), 0x47800);
    lib.clock(100000); /* nothing is active, and time passes */
    assert_true(get32(on(1), TENSIX_X, TENSIX_Y, WALL_CLOCK) - before[0] >= 210000);
    lib.exit();
    setenv("TILEFARM_EPOCH", "4096", 1); /* a link takes as long, too */
    begin();
    unsetenv("TILEFARM_EPOCH");
    const struct tf_cluster_end *end = cluster.link[0].end;
    unsigned x, y;
    send(end[0]);
    port_place(end[0].port, &x, &y);
    put32(on(end[0].chip), x, y, FROM, 77);
    port_place(end[1].port, &x, &y);
    lib.clock(3000);
    assert_int_equal(get32(on(end[1].chip), x, y, TO), 0);
    lib.clock(8000);
    assert_int_equal(get32(on(end[1].chip), x, y, TO), 77);
    lib.exit();
}

/* ---- What the library says ---- */

static char said[4096];

static void expect(const char *text)
{
    if (strstr(said, text) == NULL)
        fail_msg("no \"%s\" in \"%s\"", text, said);
}

static void test_reports_name_chips(void **state)
{
    (void)state;
    setenv("TILEFARM_HANG", "cycles:100000", 1);
    begin();
    unsetenv("TILEFARM_HANG");
    /* B of chip 0 polls a word, B of chip 1 executes a word that is no instruction. */
    const uint32_t code[] = {0x40002283, 0xFE028EE3, 0x0000006F}; /* lw t0, 0x400(x0); beqz t0, -4; j . */
    put(on(0), TENSIX_X, TENSIX_Y, 0, code, sizeof code);
    put32(on(0), TENSIX_X, TENSIX_Y, DEBUG_AT(SOFT_RESET_0), 0x47000);
    catch_stderr();
    for (unsigned i = 0; i < 500; i++)
        lib.clock(1000);
    caught_stderr(said, sizeof said);
    expect("tilefarm: waits: chip 0 tile ");
    put32(on(1), TENSIX_X, TENSIX_Y, 0, 0xFFFFFFFF);
    put32(on(1), TENSIX_X, TENSIX_Y, DEBUG_AT(SOFT_RESET_0), 0x47000);
    catch_stderr();
    lib.clock(2000);
    caught_stderr(said, sizeof said);
    expect("tilefarm: fault: category=\"");
    expect(" chip=1 tile=(1,2) core=B ");
    uint32_t status[2], chip;
    on(0)->read(BAR0 + 0x1FE00004, &status[0], 4); /* a device shows the fault of any chip */
    on(0)->read(BAR0 + 0x1FE00008, &status[1], 4);
    on(0)->read(BAR0 + 0x1FE00030, &chip, 4);
    assert_int_equal(status[0], 1);
    assert_int_equal(status[1], 1);
    assert_int_equal(chip, 1);
    catch_stderr();
    lib.exit();
    caught_stderr(said, sizeof said);
}

/* With TILEFARM_ON_FAULT=go a fault stops its core, and nothing on the other chip. */
static void test_going_on(void **state)
{
    (void)state;
    setenv("TILEFARM_ON_FAULT", "go", 1);
    begin();
    unsetenv("TILEFARM_ON_FAULT");
    count(on(0));
    put32(on(1), TENSIX_X, TENSIX_Y, 0, 0xFFFFFFFF);
    put32(on(1), TENSIX_X, TENSIX_Y, DEBUG_AT(SOFT_RESET_0), 0x47000);
    catch_stderr();
    lib.clock(10000);
    caught_stderr(said, sizeof said);
    expect(" chip=1 tile=(1,2) core=B ");
    assert_int_equal(lines(said), 1);
    const uint32_t before = get32(on(0), TENSIX_X, TENSIX_Y, 0x400);
    SILENT(lib.clock(10000));
    assert_true(get32(on(0), TENSIX_X, TENSIX_Y, 0x400) > before + 1000);
    lib.exit();
}

static void test_texts_and_signals(void **state)
{
    (void)state;
    static const char text[8] = "hello\n";
    setenv("TILEFARM_SIGUSR1", "1", 1);
    begin();
    unsetenv("TILEFARM_SIGUSR1");
    /* li a0, 4; li a1, 0x400; slli zero, zero, 31; ebreak; srai zero, zero, 7; lw t0, 0x500(x0); beqz t0, -4: print a
       text, then poll a word */
    const uint32_t code[] = {0x00400513, 0x40000593, 0x01F01013, 0x00100073, 0x40705013, 0x50002283, 0xFE028EE3};
    for (unsigned i = 0; i < 2; i++) {
        put(on(i), TENSIX_X, TENSIX_Y, 0x400, text, sizeof text);
        put(on(i), TENSIX_X, TENSIX_Y, 0, code, sizeof code);
        put32(on(i), TENSIX_X, TENSIX_Y, DEBUG_AT(SOFT_RESET_0), 0x47000);
    }
    catch_stderr();
    lib.clock(2000);
    raise(SIGUSR1);
    lib.clock(2000);
    caught_stderr(said, sizeof said);
    expect("[chip 0 tile ");
    expect("[chip 1 tile ");
    expect(" B] hello\n");
    expect("tilefarm: note: SIGUSR1 in cycle ");
    expect("tilefarm: waits: chip 0 tile ");
    expect("tilefarm: waits: chip 1 tile ");
    lib.exit();
}

/* A setting that several chips do not have is one line, and has no effect. */
static void test_settings_of_one_chip(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *says;
    } settings[] = {
        {"TILEFARM_BOARD", "p100", "for one chip"},
        {"TILEFARM_EPOCH", "65537", "(16..2^16, "},
    };
    put_beside(SYSTEM, &cluster);
    for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        setenv(settings[i].name, settings[i].value, 1);
        REFUSED(lib.init(), settings[i].says);
        unsetenv(settings[i].name);
        put32(on(1), TENSIX_X, TENSIX_Y, 0x400, 7);
        lib.clock(1000);
        assert_int_equal(get32(on(1), TENSIX_X, TENSIX_Y, 0x400), 7);
        lib.exit();
    }
}

/* Races of all chips are reported, under the numbers of their chips. */
static void test_races_name_chips(void **state)
{
    (void)state;
    const uint32_t code[] = {0x00128293, 0x40502023, 0xFF9FF06F}; /* as count(); T0 starts at 0x6000 */
    setenv("TILEFARM_CHECK", "1", 1);
    if (getenv("TILEFARM_SPREAD") == NULL)
        begin();
    else
        REFUSED(lib.init(), "TILEFARM_CHECK: races are looked for in one process");
    unsetenv("TILEFARM_CHECK");
    put(on(1), TENSIX_X, TENSIX_Y, 0, code, sizeof code);
    put(on(1), TENSIX_X, TENSIX_Y, 0x6000, code, sizeof code);
    put32(on(1), TENSIX_X, TENSIX_Y, DEBUG_AT(SOFT_RESET_0), 0x46000);
    lib.clock(5000);
    catch_stderr();
    lib.exit();
    caught_stderr(said, sizeof said);
    if (getenv("TILEFARM_SPREAD") == NULL)
        expect("tilefarm: chip 1: race: ");
    assert_null(strstr(said, "chip 0"));
}

/* The library describes the cluster that it has. */
static void test_describes_itself(void **state)
{
    (void)state;
    static char text[1 << 16];
    static struct tf_cluster described;
    uint32_t (*describe)(char *text, uint32_t bytes);
    uint32_t (*has)(const char *capability);
    void *symbol = dlsym(lib.library, "libttsim_ext_cluster_descriptor");
    memcpy(&describe, &symbol, sizeof symbol);
    symbol = dlsym(lib.library, "libttsim_ext_has");
    memcpy(&has, &symbol, sizeof symbol);
    begin();
    assert_int_equal(has("multichip"), 1);
    const uint32_t bytes = describe(text, sizeof text);
    assert_in_range(bytes, 100, sizeof text - 1);
    assert_int_equal(tf_cluster_parse(text, bytes, &described, NULL), TF_OK);
    assert_int_equal(described.chips, CHIPS);
    assert_int_equal(described.links, cluster.links);
    assert_memory_equal(described.chip, cluster.chip, CHIPS * sizeof *cluster.chip);
    lib.exit();
}

/* A fork has chips of its own. */
static void test_fork(void **state)
{
    (void)state;
    begin();
    count(on(0));
    count(on(1));
    lib.clock(10000);
    const uint32_t before = get32(on(1), TENSIX_X, TENSIX_Y, 0x400);
    const pid_t pid = fork();
    if (pid == 0) {
        lib.clock(50000);
        const bool counts = get32(on(0), TENSIX_X, TENSIX_Y, 0x400) > 4 * before &&
                            get32(on(1), TENSIX_X, TENSIX_Y, 0x400) > 4 * before;
        if (getenv("TILEFARM_SPREAD") != NULL) /* ranks follow the client alone */
            _exit(get32(on(1), TENSIX_X, TENSIX_Y, 0x400) == UINT32_MAX ? 0 : 1);
        lib.exit();
        _exit(counts ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(get32(on(1), TENSIX_X, TENSIX_Y, 0x400), before);
    lib.clock(1000);
    assert_true(get32(on(1), TENSIX_X, TENSIX_Y, 0x400) > before);
    lib.exit();
}

static void has_one_chip(void)
{
    assert_int_equal(lib.config_read(0, 0), DEVICE_ID);
    assert_int_equal(lib.config_read(1 << 3, 0), UINT32_MAX);
    lib.exit();
}

static void test_bad_systems(void **state)
{
    (void)state;
    unlink(descriptor_path);
    setenv("TILEFARM_SYSTEM", "nothing", 1);
    REFUSED(lib.init(), "bh-galaxy; one chip is used"); /* the last of the names */
    has_one_chip();
    setenv("TILEFARM_SYSTEM", "/tmp/none.yaml", 1);
    REFUSED(lib.init(), "cannot be read");
    has_one_chip();
#ifdef TF_WORMHOLE
    setenv("TILEFARM_SYSTEM", "p300", 1);
    REFUSED(lib.init(), "family, which is Wormhole: load libttsim.so");
#else
    setenv("TILEFARM_SYSTEM", "n300", 1);
    REFUSED(lib.init(), "family, which is Blackhole: load libttsim_wh.so");
#endif
    has_one_chip();
    unsetenv("TILEFARM_SYSTEM");
    write_descriptor("arch: {0: blackhole, 1: blackhole}\nchips: {\n");
    REFUSED(lib.init(), "beside the library: cluster_descriptor.yaml: line ");
    has_one_chip();
    write_descriptor("");
    REFUSED(lib.init(), "cannot be read, or is empty");
    has_one_chip();
}

/* A name says more than what lies beside the library. A system of one chip is what a library without one is. */
static void test_names(void **state)
{
    (void)state;
    put_beside(SYSTEM, &cluster);
#ifdef TF_WORMHOLE
    setenv("TILEFARM_SYSTEM", "wh-galaxy", 1);
#else
    setenv("TILEFARM_SYSTEM", "bh-galaxy", 1);
#endif
    SILENT(lib.init());
    assert_int_equal(lib.config_read(31 << 3, 0), DEVICE_ID);
    put32(on(31), TENSIX_X, TENSIX_Y, 0x400, 31);
    lib.clock(1000);
    assert_int_equal(get32(on(31), TENSIX_X, TENSIX_Y, 0x400), 31);
    lib.exit();
    setenv("TILEFARM_SYSTEM", descriptor_path, 1);
    SILENT(lib.init());
    assert_int_equal(lib.config_read(1 << 3, 0), DEVICE_ID);
    lib.exit();
#ifdef TF_WORMHOLE
    setenv("TILEFARM_SYSTEM", "n150", 1);
#else
    setenv("TILEFARM_SYSTEM", "p150", 1);
#endif
    SILENT(lib.init());
    has_one_chip();
    setenv("TILEFARM_LINK_GBPS", "40", 1);
    REFUSED(lib.init(), "TILEFARM_LINK_GBPS is for several chips");
    has_one_chip();
    unsetenv("TILEFARM_LINK_GBPS");
    unsetenv("TILEFARM_SYSTEM");
#ifdef TF_WORMHOLE
    put_beside("n150", &cluster);
#else
    put_beside("p150", &cluster);
#endif
    SILENT(lib.init());
    uint32_t word = 0;
    lib.tile_read(TENSIX_X, TENSIX_Y, 0, &word, 4);
    assert_int_equal(word, 0);
    has_one_chip();
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_gap),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_host_memory),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_link_settings),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_reports_name_chips),
        cmocka_unit_test(test_going_on),
        cmocka_unit_test(test_texts_and_signals),
        cmocka_unit_test(test_settings_of_one_chip),
        cmocka_unit_test(test_races_name_chips),
        cmocka_unit_test(test_describes_itself),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_bad_systems),
        cmocka_unit_test(test_names),
    };
    if (copy_library(TF_LIBTTSIM) != 0)
        return 1;
#ifdef TF_WORMHOLE
    lib.wormhole = true;
#endif
    lib.set_callbacks(host_reads, host_writes);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_library();
    return failed;
}
