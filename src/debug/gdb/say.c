/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/gdb/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "debug/gdb/packet_text.h"
#include "debug/gdb/parts.h"

void tf_gdb_gone(struct tf_gdb *gdb)
{
    gdb->left = true;
    gdb->running = true;
}

bool tf_gdb_send_all(struct tf_gdb *gdb, const char *data, size_t bytes)
{
    while (bytes > 0 && !gdb->left) {
        ssize_t sent = send(gdb->connection, data, bytes, MSG_NOSIGNAL);
        if (sent <= 0 && errno != EINTR)
            tf_gdb_gone(gdb);
        if (sent > 0) {
            data += sent;
            bytes -= (size_t)sent;
        }
    }
    return !gdb->left;
}

void tf_gdb_send(struct tf_gdb *gdb, const char *data, size_t bytes)
{
    char *out = gdb->out;
    size_t at = 0;
    uint8_t sum = 0;
    out[at++] = '$';
    for (size_t i = 0; i < bytes && at + 8 < sizeof gdb->out; i++) {
        char c = data[i];
        if (c == '#' || c == '$' || c == '}' || c == '*') {
            out[at++] = '}';
            c ^= 0x20;
        }
        out[at++] = c;
    }
    for (size_t i = 1; i < at; i++)
        sum = (uint8_t)(sum + (uint8_t)out[i]);
    out[at++] = '#';
    out[at++] = tf_digits[sum >> 4];
    out[at++] = tf_digits[sum & 15];
    tf_gdb_send_all(gdb, out, at);
}

void tf_gdb_say(struct tf_gdb *gdb, const char *format, ...)
{
    char text[1200], packet[2 * sizeof text + 2] = "O";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (gdb->front->terminal) {
        gdb->front->say(gdb, text);
        return;
    }
    to_hex(packet + 1, (const uint8_t *)text, strlen(text));
    if (gdb->connection >= 0 && !gdb->left)
        tf_gdb_send(gdb, packet, strlen(packet));
}
