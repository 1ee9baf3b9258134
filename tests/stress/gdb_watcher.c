/* SPDX-License-Identifier: Apache-2.0 */
#include "chip_wish.h"
#include "gdb_watcher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "debug/gdb/gdb.h"

#define PROCESS_OF_B(tile) (1 + 8 * (tile))

struct gdb_watcher {
    struct tf_gdb *gdb;
    struct tf_message message;
    pthread_t thread;
    const struct gdb_range *range;
    unsigned tile, ranges, stops, stops_max;
    int connection;
    char in[20000]; /* received, and not yet used */
    size_t in_bytes;
    bool refused; /* a command of the client */
};

static bool send_packet(const struct gdb_watcher *watcher, const char *text)
{
    char packet[200];
    uint8_t sum = 0;
    for (const char *at = text; *at != '\0'; at++)
        sum = (uint8_t)(sum + (uint8_t)*at);
    int bytes = snprintf(packet, sizeof packet, "+$%s#%02x", text, sum);
    return send(watcher->connection, packet, (size_t)bytes, MSG_NOSIGNAL) == bytes;
}

/* The next packet that is no text for the user. False: the stub has left. */
static bool receive_packet(struct gdb_watcher *watcher, char *text, size_t room)
{
    for (;;) {
        char *begin = memchr(watcher->in, '$', watcher->in_bytes);
        char *end = begin == NULL ? NULL : memchr(begin, '#', watcher->in_bytes - (size_t)(begin - watcher->in));
        if (end != NULL && end + 3 <= watcher->in + watcher->in_bytes) {
            snprintf(text, room, "%.*s", (int)(end - begin - 1), begin + 1);
            watcher->in_bytes -= (size_t)(end + 3 - watcher->in);
            memmove(watcher->in, end + 3, watcher->in_bytes);
            if (text[0] != 'O' || strcmp(text, "OK") == 0)
                return true;
            send(watcher->connection, "+", 1, MSG_NOSIGNAL);
            continue;
        }
        ssize_t got = recv(watcher->connection, watcher->in + watcher->in_bytes, sizeof watcher->in - watcher->in_bytes,
                           0);
        if (got <= 0)
            return false;
        watcher->in_bytes += (size_t)got;
    }
}

/* Send a command that the stub does at once. */
static void command(struct gdb_watcher *watcher, const char *text, char begins)
{
    char answer[200];
    if (!send_packet(watcher, text) || !receive_packet(watcher, answer, sizeof answer) || answer[0] != begins)
        watcher->refused = true;
}

static void change_watchpoints(struct gdb_watcher *watcher, char insert)
{
    for (unsigned i = 0; i < watcher->ranges; i++) {
        const struct gdb_range *range = &watcher->range[i];
        char text[60];
        snprintf(text, sizeof text, "%c%c,%x,%x", insert, range->access, range->address, range->bytes);
        command(watcher, text, 'O');
    }
}

static void *play_gdb(void *argument)
{
    struct gdb_watcher *watcher = argument;
    char text[200];
    command(watcher, "!", 'O');
    snprintf(text, sizeof text, "vAttach;%x", PROCESS_OF_B(watcher->tile));
    command(watcher, text, 'T');
    change_watchpoints(watcher, 'Z');
    for (;;) {
        const char *go_on = watcher->stops % 5 == 4 ? "s" : "c";
        if (!send_packet(watcher, go_on) || !receive_packet(watcher, text, sizeof text) || text[0] != 'T')
            return NULL;
        if (++watcher->stops == watcher->stops_max)
            change_watchpoints(watcher, 'z');
    }
}

static void ignore_noc(void *user, const struct tf_noc_event *event)
{
    (void)user, (void)event;
}

struct gdb_watcher *gdb_watcher_open(struct chip_wish *config)
{
    struct gdb_watcher *watcher = calloc(1, sizeof *watcher);
    assert_non_null(watcher);
    watcher->gdb = tf_gdb_open("127.0.0.1:0", &watcher->message);
    if (watcher->gdb == NULL)
        fail_msg("%s", watcher->message.text);
    chip_wish_change(config, tf_gdb_configure);
    config->on_noc = ignore_noc;
    return watcher;
}

void gdb_watcher_begin(struct gdb_watcher *watcher, struct tf_chip *chip, unsigned tile, const struct gdb_range *range,
                       unsigned ranges, unsigned stops)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)tf_gdb_port(watcher->gdb)),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    watcher->tile = tile;
    watcher->range = range;
    watcher->ranges = ranges;
    watcher->stops_max = stops;
    watcher->connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(watcher->connection, (const struct sockaddr *)&address, sizeof address), 0);
    tf_gdb_attach(watcher->gdb, chip, NULL);
    assert_int_equal(pthread_create(&watcher->thread, NULL, play_gdb, watcher), 0);
    tf_gdb_begin(watcher->gdb);
}

unsigned gdb_watcher_close(struct gdb_watcher *watcher)
{
    unsigned stops = watcher->stops;
    tf_gdb_close(watcher->gdb);
    pthread_join(watcher->thread, NULL);
    close(watcher->connection);
    assert_false(watcher->refused);
    free(watcher);
    return stops;
}
