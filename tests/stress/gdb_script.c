/* SPDX-License-Identifier: Apache-2.0 */
#include "chip_wish.h"
#include "gdb_script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "debug/gdb/gdb.h"

#define PATCHED 0x5000u

/* The last two commands of the monitor are "waits" and "races". */
static const char *const script[] = {
    "qSupported:multiprocess+",
    "!",
    "qXfer:features:read:target.xml:0,400",
    "qXfer:threads:read::0,400",
    "vAttach;1",
    "g",
    "m100,40",
    "M5000,4:01020304",
    "Z0,104,4;X1,27",
    "Z2,300,4",
    "Z1,108,4",
    "qRcmd,7761697473",
    "qRcmd,7261636573",
    "c",
    "s",
    "c",
    "bt",
    "z2,300,4",
    "z0,104,4",
    "z1,108,4",
    "qSymbol::",
    "vCont;s:p1.1",
    "D",
};

_Static_assert(sizeof script / sizeof script[0] == GDB_SCRIPT, "all packets");

/* Send a packet, and wait for one that is no text for the user. */
static bool ask(int connection, const char *text)
{
    char packet[300], answer[4096];
    uint8_t sum = 0;
    for (const char *c = text; *c != '\0'; c++)
        sum = (uint8_t)(sum + (uint8_t)*c);
    int bytes = snprintf(packet, sizeof packet, "+$%s#%02x", text, sum);
    if (send(connection, packet, (size_t)bytes, MSG_NOSIGNAL) != bytes)
        return false;
    for (size_t have = 0;;) {
        ssize_t got = recv(connection, answer + have, sizeof answer - 1 - have, 0);
        if (got <= 0)
            return false;
        have += (size_t)got;
        answer[have] = '\0';
        char *begin = strrchr(answer, '$'), *end = begin == NULL ? NULL : strchr(begin, '#');
        if (end != NULL && strlen(end) >= 3 && (begin[1] != 'O' || begin[2] == 'K'))
            return true;
        if (have > sizeof answer / 2)
            have = 0;
    }
}

unsigned gdb_script_play(unsigned port)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    unsigned answers = 0;
    if (connect(connection, (const struct sockaddr *)&address, sizeof address) == 0)
        while (answers < GDB_SCRIPT && ask(connection, script[answers]))
            answers++;
    close(connection);
    return answers;
}

static void ignore_noc(void *user, const struct tf_noc_event *event)
{
    (void)user, (void)event;
}

void gdb_script_configure(struct chip_wish *config)
{
    chip_wish_init(config);
    chip_wish_change(config, tf_gdb_configure);
    config->on_noc = ignore_noc;
}

static struct tf_coord counting_tile(void)
{
    struct tf_coord tile;
    assert_int_equal(tf_tile_coord(NULL, 0, &tile), TF_OK);
    return tile;
}

void gdb_script_load(struct tf_chip *chip)
{
    const uint32_t count[] = {0x00128293, 0x30502023, 0xFF9FF06F}; /* addi t0, t0, 1; sw t0, 0x300(x0); j -8 */
    assert_int_equal(tf_write(chip, counting_tile(), 0x100, count, sizeof count), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, 0x100), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
}

uint64_t gdb_script_hash(struct tf_chip *chip)
{
    static const uint8_t patch[4] = {1, 2, 3, 4};
    assert_int_equal(tf_write(chip, counting_tile(), PATCHED, patch, sizeof patch), TF_OK);
    return tf_state_hash(chip);
}
