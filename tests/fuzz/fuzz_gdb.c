/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GDB packets. Each line of an input is a packet, which gets its checksum; a line that begins with 1 is sent as it is.
 * The chip has a program, so that points, conditions and steps act.
 */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "chip_wish.h"
#include "debug/gdb/gdb.h"
#include "debug/gdb/packets.h"
#include "debug/gdb/parts.h"
#include "debug/gdb/stop.h"
#include "driver.h"

#define ROUNDS_MAX 40u /* times that the chip runs */

const char *const fuzz_words[] = {
    "!\n",
    "?\n",
    "vAttach;1\n",
    "vAttach;2\n",
    "g\n",
    "m0,40\n",
    "m20000,4\n",
    "Mffb00000,4:01020304\n",
    "s\n",
    "c\n",
    "vCont;s:p1.1;c\n",
    "vCont;c\n",
    "Z0,8,4\n",
    "z0,8,4\n",
    "Z2,20000,4\n",
    "Z4,ffb20000,8\n",
    ";X",
    ";X4,22f82727",
    "X3,224627",
    "qRcmd,",
    "qSupported\n",
    "qXfer:features:read:target.xml:0,1000\n",
    "QStartNoAckMode\n",
    "Hgp1.1\n",
    "D;1\n",
    "vKill;1\n",
    "k\n",
    "qXfer:osdata:read:processes:0,fff\n",
    "qfThreadInfo\n",
    "T1\n",
    "bs\n",
    "bc\n",
    "P1=01000000\n",
    "p20\n",
    "X20000,4:}]ab\n",
    "#",
    "$",
    "}",
    "\x03",
    "\x01",
    NULL,
};

static const char *const seeds[] = {
    "!\nqSupported\n?\nvAttach;1\ng\nm0,40\nZ0,8,4\nc\nz0,8,4\ns\ns\nM20000,4:00000000\nc\nD;1\n",
    "!\nvAttach;1\nvAttach;2\nZ2,20000,4\nc\nc\nz2,20000,4\nvCont;s:p1.1;c\nvKill;1\nvKill;2\n",
    "!\nvAttach;1\nZ0,8,4;X4,22f82727X3,224627\nc\nZ0,8,4;X1,27\nc\n",
    "!\nvAttach;1\nqRcmd,636f6e666967\nqRcmd,647374203020666c6f6174\nqRcmd,77616974730a\nqRcmd,7374617465730a\n",
    "!\nvAttach;1\nqRcmd,636f6e646974696f6e203078323030303020282476616c7565202b203129203e2034\nZ3,20000,4\nc\n",
    ("QStartNoAckMode\n!\nvAttach;1\nqXfer:features:read:target.xml:0,3ff0\nqXfer:osdata:read:processes:0,10\n"
     "P5=12345678\np5\nX20000,4:abcd\nm20000,4\nqRcmd,6472616d20312030783130303030\nm40000000,10\nT1\nHgp1.1\n"),
};

size_t fuzz_seed(unsigned number, uint8_t *data, size_t room)
{
    size_t bytes = number < sizeof seeds / sizeof seeds[0] ? strlen(seeds[number]) : 0;
    if (bytes > room)
        return 0;
    memcpy(data, seeds[number < sizeof seeds / sizeof seeds[0] ? number : 0], bytes);
    return bytes;
}

static void ignore_noc(void *user, const struct tf_noc_event *event)
{
    (void)user, (void)event;
}

/* Read all that the stub sends. Each packet of it has its checksum. */
static void *drain(void *argument)
{
    int fd = *(int *)argument;
    char data[4096];
    unsigned state = 0, sum = 0, digits = 0;
    for (ssize_t got; (got = recv(fd, data, sizeof data, 0)) > 0;)
        for (ssize_t i = 0; i < got; i++) {
            char c = data[i];
            if (state == 0) {
                DEMAND(c == '$' || c == '+' || c == '-');
                state = c == '$';
                sum = digits = 0;
            } else if (state == 1) {
                DEMAND(c != '$');
                sum += c == '#' ? 0 : (uint8_t)c;
                state += c == '#';
            } else {
                digits = digits << 4 | (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
                DEMAND(state++ == 2 || digits == (sum & 0xFF));
                state = state == 4 ? 0 : state;
            }
        }
    return NULL;
}

/* The bytes of a client that sends the lines of an input. The caller frees them. */
static char *packets_of(const uint8_t *data, size_t bytes, size_t *count)
{
    size_t lines = 1, at = 0;
    for (size_t i = 0; i < bytes; i++)
        lines += data[i] == '\n';
    char *out = malloc(bytes + 8 * lines);
    for (size_t next; out != NULL && bytes > 0; data += next, bytes -= next) {
        const uint8_t *end = memchr(data, '\n', bytes);
        size_t length = end == NULL ? bytes : (size_t)(end - data);
        next = end == NULL ? bytes : length + 1;
        if (length != 0 && data[0] == 1) {
            memcpy(out + at, data + 1, length - 1);
            at += length - 1;
            continue;
        }
        unsigned sum = 0;
        out[at++] = '$';
        for (size_t i = 0; i < length; i++)
            sum += data[i];
        memcpy(out + at, data, length);
        at += length;
        at += (size_t)sprintf(out + at, "#%02x", sum & 0xFF);
    }
    *count = at;
    return out;
}

struct sender {
    int fd;
    const char *data;
    size_t bytes;
};

static void *send_all(void *argument)
{
    struct sender *sender = argument;
    for (ssize_t sent; sender->bytes > 0; sender->data += sent, sender->bytes -= (size_t)sent)
        if ((sent = send(sender->fd, sender->data, sender->bytes, MSG_NOSIGNAL)) <= 0)
            break;
    shutdown(sender->fd, SHUT_WR);
    return NULL;
}

static void serve(struct tf_gdb *gdb, struct tf_chip *chip)
{
    const struct tf_run_options options = {.cycles_max = 2048};
    enum tf_end end;
    gdb->stopping = true;
    tf_gdb_serve(gdb);
    gdb->stopping = false;
    for (unsigned i = 0; i < ROUNDS_MAX && !gdb->left; i++) {
        if (tf_run(chip, &options, &end) != TF_OK)
            break;
        tf_gdb_poll(gdb);
        if (!gdb->left && !tf_gdb_ended(gdb, end))
            break;
    }
}

/* A loop that loads, stores and adds, at address 0. */
static bool load_program(struct tf_chip *chip)
{
    static const uint32_t program[] = {
        0x000202B7, /* lui t0, 0x20 */
        0x0002A303, /* lw t1, 0(t0) */
        0x00130313, /* addi t1, t1, 1 */
        0x0062A023, /* sw t1, 0(t0) */
        0xFF5FF06F, /* j to the load */
    };
    return tf_write(chip, (struct tf_coord){.x = 1, .y = 2}, 0, program, sizeof program) == TF_OK &&
           tf_core_set_pc(chip, 0, TF_CORE_B, 0) == TF_OK && tf_core_start(chip, 0, TF_CORE_B) == TF_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct chip_wish config;
    const struct tf_board_text board = {.columns = "2,3,4,5,6,7,10,11,12,13,14,15,16"};
    struct tf_chip *chip = NULL;
    int ends[2];
    pthread_t threads[2];
    struct tf_message message;
    struct sender sender;
    fuzz_silence();
    chip_wish_init(&config);
    DEMAND(tf_board_parse(config.arch, &board, &config.board, NULL) == TF_OK);
    chip_wish_change(&config, tf_gdb_configure);
    config.on_noc = ignore_noc;
    struct tf_gdb *gdb = tf_gdb_open("0", &message);
    char *sent = packets_of(data, bytes, &sender.bytes);
    if (gdb == NULL || sent == NULL || chip_wish_create(&config, &chip, NULL) != TF_OK || !load_program(chip) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        abort();
    gdb->connection = ends[0];
    sender.fd = ends[1];
    sender.data = sent;
    tf_gdb_attach(gdb, chip, NULL);
    if (pthread_create(&threads[0], NULL, drain, &ends[1]) != 0 ||
        pthread_create(&threads[1], NULL, send_all, &sender) != 0)
        abort();
    serve(gdb, chip);
    tf_chip_destroy(chip);
    tf_gdb_close(gdb);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    close(ends[1]);
    free(sent);
    return 0;
}
