/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/gdb/packets.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "debug/gdb/packet_text.h"
#include "debug/gdb/say.h"
#include "debug/gdb/target.h"
#include "debug/gdb/monitor.h"
#include "debug/gdb/parts.h"
#include "debug/gdb/points.h"
#include "debug/gdb/snapshot.h"
#include "debug/gdb/stop.h"
#include "tile/node_text.h"

/* --- bytes --- */

/* Wait for more bytes, or test whether there are any. Returns false if there are none. */
static bool receive(struct tf_gdb *gdb, bool wait)
{
    if (gdb->in_bytes == sizeof gdb->in)
        gdb->in_bytes = 0; /* no valid packet is that long */
    for (;;) {
        ssize_t got = recv(gdb->connection, gdb->in + gdb->in_bytes, sizeof gdb->in - gdb->in_bytes,
                           wait ? 0 : MSG_DONTWAIT);
        if (got > 0) {
            gdb->in_bytes += (size_t)got;
            return true;
        }
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
            tf_gdb_gone(gdb);
        return false;
    }
}

static void drop_input(struct tf_gdb *gdb, size_t bytes)
{
    memmove(gdb->in, gdb->in + bytes, gdb->in_bytes - bytes);
    gdb->in_bytes -= bytes;
}

static void reply(struct tf_gdb *gdb, const char *text)
{
    tf_gdb_send(gdb, text, strlen(text));
}

/* --- processes --- */

unsigned tf_packets_first(const struct tf_gdb *gdb)
{
    for (unsigned pid = 1; pid <= tf_gdb_processes(gdb); pid++)
        if (tf_gdb_is_attached(gdb, pid))
            return pid;
    return 0;
}

/* Returns 0 for a number that no process can have. */
static unsigned read_process(const char **text)
{
    uint64_t pid = number(text);
    return pid > PROCESSES_MAX ? 0 : (unsigned)pid;
}

/* Read a number that is -1 or 0 for any. Returns false if it is none, or one that no process can have. */
static bool read_any(const char **text, unsigned *pid)
{
    *pid = 0;
    if (begins(text, "-1"))
        return true;
    const char *first = *text;
    const uint64_t read = number(text);
    *pid = (unsigned)read;
    return *text != first && read <= PROCESSES_MAX;
}

/* Read pPID.TID, PID.TID or TID; -1 and 0 mean any. *pid becomes 0 for any. Each process has one thread, which has its
   number. Returns false for other text. */
static bool read_thread(const char **text, unsigned *pid)
{
    unsigned thread = 0;
    bool process = begins(text, "p"), good = read_any(text, pid);
    if (process && good && begins(text, "."))
        good = read_any(text, &thread) && (thread == 0 || *pid == 0 || thread == *pid);
    return good;
}

static void stopped(struct tf_gdb *gdb, unsigned pid, unsigned signal, const char *reason)
{
    char text[120];
    snprintf(text, sizeof text, "T%02x%sthread:p%x.%x;", signal, reason, pid, pid);
    if (gdb->connection >= 0)
        reply(gdb, text);
}

unsigned tf_packets_first_running(const struct tf_gdb *gdb)
{
    for (unsigned pid = 1; pid <= tf_gdb_processes(gdb); pid++) {
        unsigned core;
        const struct tf_tile *tile = tf_gdb_tile((struct tf_gdb *)gdb, pid, &core);
        if (tile != NULL && tile->hart[core].state != TF_CORE_RESET)
            return pid;
    }
    return 1;
}

static void attach(struct tf_gdb *gdb, unsigned pid)
{
    unsigned core;
    if (tf_gdb_tile(gdb, pid, &core) == NULL) {
        reply(gdb, "E01");
        return;
    }
    tf_gdb_set_attached(gdb, pid, true);
    tf_gdb_select(gdb, pid);
    stopped(gdb, pid, 5, "");
}

static void free_point(struct point *point)
{
    if (point != NULL)
        free(point->condition);
    free(point);
}

static void remove_points_of(struct tf_gdb *gdb, unsigned pid)
{
    for (struct point **at = &gdb->points; *at != NULL;) {
        struct point *point = *at;
        if (point->pid != pid) {
            at = &point->next;
            continue;
        }
        *at = point->next;
        free_point(point);
    }
}

static void detach(struct tf_gdb *gdb, unsigned pid)
{
    remove_points_of(gdb, pid);
    tf_gdb_set_attached(gdb, pid, false);
    tf_gdb_rearm(gdb);
    if (gdb->current == pid)
        tf_gdb_select(gdb, tf_packets_first(gdb));
    reply(gdb, "OK");
    if (gdb->current == 0 && !gdb->extended)
        tf_gdb_gone(gdb);
}

/* A killed process ends the run of all. A client of the library goes on: only it may end its process. */
static void end_run(struct tf_gdb *gdb)
{
    reply(gdb, "OK");
    if (!gdb->client)
        tf_gdb_end_run(gdb);
    tf_gdb_gone(gdb);
}

/* --- registers and memory --- */

static void read_registers(struct tf_gdb *gdb)
{
    char text[8 * GDB_REGISTERS + 1] = "";
    for (unsigned i = 0; i < GDB_REGISTERS; i++) {
        uint32_t value = 0;
        tf_gdb_register(gdb, gdb->current, i, &value);
        to_hex(text + 8 * i, (const uint8_t *)&value, 4);
    }
    reply(gdb, text);
}

static void write_registers(struct tf_gdb *gdb, const char *text)
{
    uint32_t value[GDB_REGISTERS];
    bool good = strlen(text) == 2 * sizeof value && from_hex((uint8_t *)value, text, sizeof value) == sizeof value;
    for (unsigned i = 0; i < GDB_REGISTERS && good; i++)
        tf_gdb_set_register(gdb, gdb->current, i, value[i]);
    reply(gdb, good ? "OK" : "E01");
}

static void read_register(struct tf_gdb *gdb, const char *text)
{
    uint32_t index, value;
    bool is_index = number32(&text, &index) && ends(text);
    const uint8_t *vector = is_index ? tf_gdb_vector(gdb, gdb->current, index) : NULL;
    char hex[2 * GDB_VECTOR_BYTES + 1];
    if (vector != NULL) {
        to_hex(hex, vector, GDB_VECTOR_BYTES);
        reply(gdb, hex);
        return;
    }
    if (!is_index || !tf_gdb_register(gdb, gdb->current, index, &value)) {
        reply(gdb, "xxxxxxxx");
        return;
    }
    to_hex(hex, (const uint8_t *)&value, 4);
    reply(gdb, hex);
}

static void write_register(struct tf_gdb *gdb, const char *text)
{
    uint32_t index, value;
    bool good = number32(&text, &index);
    uint8_t *vector = good ? tf_gdb_vector(gdb, gdb->current, index) : NULL;
    good = good && begins(&text, "=") && strlen(text) == 2 * (vector != NULL ? GDB_VECTOR_BYTES : sizeof value);
    if (good && vector != NULL)
        good &= is_hex(text) && tf_gdb_set_vector(gdb, gdb->current) &&
                from_hex(vector, text, GDB_VECTOR_BYTES) == GDB_VECTOR_BYTES;
    else if (good)
        good = from_hex((uint8_t *)&value, text, 4) == 4 && tf_gdb_set_register(gdb, gdb->current, index, value);
    reply(gdb, good ? "OK" : "E01");
}

static void read_memory(struct tf_gdb *gdb, const char *text)
{
    static const uint32_t most = PACKET_BYTES / 2 - 16;
    uint32_t address;
    bool good = number32(&text, &address);
    uint64_t bytes = begins(&text, ",") ? number(&text) : 0;
    good = good && ends(text);
    uint8_t *data = malloc(most);
    char *hex = malloc(2 * most + 1);
    good = good && data != NULL && hex != NULL && bytes <= most;
    if (!good || !tf_gdb_read(gdb, gdb->current, address, data, (uint32_t)bytes))
        reply(gdb, "E01");
    else
        tf_gdb_send(gdb, hex, to_hex(hex, data, (size_t)bytes));
    free(data);
    free(hex);
}

static void write_memory(struct tf_gdb *gdb, const char *text, size_t left, bool binary)
{
    const char *end = text + left;
    uint32_t address;
    bool fits = number32(&text, &address);
    uint64_t bytes = begins(&text, ",") ? number(&text) : 0;
    uint8_t *data = fits && bytes <= PACKET_BYTES ? malloc((size_t)bytes + 1) : NULL;
    size_t got = 0;
    bool good = data != NULL && begins(&text, ":");
    if (good && !binary) {
        got = from_hex(data, text, (size_t)bytes);
        text += 2 * got;
    }
    for (; good && binary && text < end && got < bytes; text++) {
        bool escaped = *text == '}';
        text += escaped;
        good = text < end; /* nothing follows the escape */
        data[got++] = (uint8_t)(*text ^ (escaped ? 0x20 : 0));
    }
    good = good && got == bytes && text == end && tf_gdb_write(gdb, gdb->current, address, data, (uint32_t)bytes);
    reply(gdb, good ? "OK" : "E01");
    free(data);
}

/* --- breakpoints --- */

/* Read ";X LENGTH,BYTES", which is repeated for each condition, up to the end of the packet. Returns false if they have
   another form, or if the host has too little memory. */
static bool read_conditions(struct point *point, const char *text)
{
    uint8_t code[CONDITION_BYTES];
    while (begins(&text, ";X") || begins(&text, "X")) {
        uint32_t bytes;
        if (!number32(&text, &bytes) || bytes > sizeof code || !begins(&text, ",") ||
            from_hex(code, text, (size_t)bytes) != bytes)
            return false;
        text += 2 * bytes;
        uint8_t *grown = realloc(point->condition, point->condition_bytes + (size_t)bytes + 2);
        if (grown == NULL)
            return false;
        point->condition = grown;
        uint8_t *to = grown + point->condition_bytes;
        to[0] = (uint8_t)(bytes >> 8);
        to[1] = (uint8_t)bytes;
        memcpy(to + 2, code, (size_t)bytes);
        point->condition_bytes += (unsigned)bytes + 2;
    }
    return ends(text);
}

/* Take a point out of the list. Returns NULL if there is none. */
static struct point *take_point(struct tf_gdb *gdb, uint8_t kind, uint32_t address)
{
    struct point **at = &gdb->points;
    while (*at != NULL && ((*at)->pid != gdb->current || (*at)->kind != kind || (*at)->address != address))
        at = &(*at)->next;
    struct point *point = *at;
    if (point != NULL)
        *at = point->next;
    return point;
}

/* The point that a packet describes, after its kind. Returns NULL after the answer to a packet that describes none. */
static struct point *read_point(struct tf_gdb *gdb, uint8_t kind, const char *text)
{
    uint32_t address = 0, bytes = 0;
    bool good = begins(&text, ",") && number32(&text, &address) && begins(&text, ",") && number32(&text, &bytes) &&
                bytes <= UINT32_MAX - address;
    struct point *point = good ? calloc(1, sizeof *point) : NULL;
    if (point == NULL) {
        reply(gdb, good ? "E0c" : "E01");
        return NULL;
    }
    *point = (struct point){.pid = gdb->current, .kind = kind, .address = address, .bytes = bytes};
    if (read_conditions(point, text))
        return point;
    reply(gdb, "E01");
    free_point(point);
    return NULL;
}

static void change_point(struct tf_gdb *gdb, const char *text, bool insert)
{
    uint64_t kind = number(&text);
    if (kind > POINT_ACCESS) {
        reply(gdb, "");
        return;
    }
    struct point *point = read_point(gdb, (uint8_t)kind, text);
    if (point == NULL)
        return;
    /* GDB inserts a known breakpoint a second time to change its conditions */
    free_point(take_point(gdb, point->kind, point->address));
    if (insert) {
        point->next = gdb->points;
        gdb->points = point;
    } else {
        free_point(point);
    }
    tf_gdb_rearm(gdb);
    reply(gdb, "OK");
}

/* --- running --- */

#define JUMP_TO_ITSELF 0x6Fu

/* Is a core in a state in which it may never execute another instruction: blocked, or in an empty endless loop? */
static bool is_stuck(struct tf_gdb *gdb, unsigned pid)
{
    unsigned core;
    const struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    if (tile == NULL)
        return false;
    const struct tf_hart *hart = &tile->hart[core];
    uint32_t word = 0;
    if (hart->state != TF_CORE_RUNNING && hart->state != TF_CORE_PARKED)
        return true;
    return tf_gdb_read(gdb, pid, hart->pc, (uint8_t *)&word, sizeof word) && word == JUMP_TO_ITSELF;
}

/* After a watchpoint is hit, GDB lets the core execute an instruction, and then compares. GDB may compare immediately
   in two cases. If another actor made the access, its next access must not come before the comparison. If the core
   stands still, no instruction would end. */
static void resume(struct tf_gdb *gdb, unsigned stepping)
{
    unsigned watched = gdb->watched;
    gdb->watched = gdb->undo.pid = 0;
    if (watched != 0 && (gdb->by_other || is_stuck(gdb, watched))) {
        stopped(gdb, watched, 5, "");
        return;
    }
    gdb->stepping = stepping;
    gdb->running = true;
    gdb->started = true;
    tf_gdb_rearm(gdb);
}

/* Read an action: c, s, or C or S with a signal, which has no effect. Returns false for another one. */
static bool read_action(const char **text, bool *step)
{
    const char action = **text;
    if (action == '\0' || strchr("cCsS", action) == NULL)
        return false;
    ++*text;
    *step = action == 's' || action == 'S';
    if (action == 'c' || action == 's')
        return true;
    const char *signal = *text;
    number(text);
    return *text != signal;
}

/* Read ;ACTION[:THREAD]... : all processes run, and one of them may step. */
static void resume_by(struct tf_gdb *gdb, const char *text)
{
    unsigned stepping = 0;
    bool good = *text == ';';
    while (good && begins(&text, ";")) {
        bool step = false;
        unsigned pid = 0;
        good = read_action(&text, &step) && (!begins(&text, ":") || read_thread(&text, &pid));
        if (step)
            stepping = pid != 0 ? pid : gdb->current;
    }
    if (good && *text == '\0')
        resume(gdb, stepping);
    else
        reply(gdb, "E01");
}

/* --- queries --- */

static void send_part(struct tf_gdb *gdb, const char *whole, const char *range)
{
    uint64_t length = strlen(whole), offset = number(&range);
    uint64_t bytes = begins(&range, ",") ? number(&range) : 0;
    if (offset > length)
        offset = length;
    if (bytes > PACKET_BYTES - 16)
        bytes = PACKET_BYTES - 16;
    bool last = bytes >= length - offset;
    char *part = malloc((size_t)bytes + 2);
    if (part == NULL) {
        reply(gdb, "E0c");
        return;
    }
    size_t count = (size_t)(last ? length - offset : bytes);
    part[0] = last ? 'l' : 'm';
    memcpy(part + 1, whole + offset, count);
    tf_gdb_send(gdb, part, count + 1);
    free(part);
}

static void send_made(struct tf_gdb *gdb, char *made, const char *range)
{
    if (made == NULL)
        reply(gdb, "E0c");
    else
        send_part(gdb, made, range);
    free(made);
}

static void list_threads(struct tf_gdb *gdb)
{
    char *text = malloc(tf_gdb_processes(gdb) * 12 + 2);
    size_t at = 0;
    if (text == NULL) {
        reply(gdb, "E0c");
        return;
    }
    text[at++] = 'm';
    for (unsigned pid = 1; pid <= tf_gdb_processes(gdb); pid++)
        if (tf_gdb_is_attached(gdb, pid))
            at += (size_t)sprintf(text + at, "%sp%x.%x", at > 1 ? "," : "", pid, pid);
    tf_gdb_send(gdb, at > 1 ? text : "l", at > 1 ? at : 1);
    free(text);
}

static void run_command(struct tf_gdb *gdb, const char *hex)
{
    char command[256];
    size_t length = from_hex((uint8_t *)command, hex, sizeof command - 1);
    command[length] = '\0';
    tf_gdb_monitor(gdb, command);
    reply(gdb, "OK");
}

/* Describe a thread: "tile 1 (2,2) B". */
static void describe_thread(struct tf_gdb *gdb, const char *text)
{
    char line[80], node[TF_NODE_TEXT_BYTES], hex[2 * sizeof line + 1], chip[TF_GDB_CHIP_BYTES];
    unsigned core, pid;
    bool good = read_thread(&text, &pid) && ends(text);
    const struct tf_tile *tile = good ? tf_gdb_tile(gdb, pid, &core) : NULL;
    if (tile == NULL) {
        reply(gdb, "E01");
        return;
    }
    int length = snprintf(line, sizeof line, "%s%s %s", tf_gdb_chip_text(gdb, tf_gdb_chip(gdb, pid), chip),
                          tf_node_text(tf_gdb_chip(gdb, pid)->chip->arch, tile->coord, node),
                          tile->arch->core_name[core]);
    to_hex(hex, (const uint8_t *)line, (size_t)length);
    reply(gdb, hex);
}

#define SUPPORTED                                                                                             \
    "PacketSize=4000;multiprocess+;qXfer:features:read+;qXfer:osdata:read+;vContSupported+;QStartNoAckMode+;" \
    "ConditionalBreakpoints+"

static void query(struct tf_gdb *gdb, const char *text)
{
    char line[80];
    if (begins(&text, "Supported")) {
        reply(gdb, gdb->reversible ? SUPPORTED ";ReverseStep+;ReverseContinue+" : SUPPORTED);
    } else if (begins(&text, "Xfer:features:read:target.xml:")) {
        send_made(gdb, tf_gdb_target_xml(), text);
    } else if (begins(&text, "Xfer:osdata:read:processes:")) {
        send_made(gdb, tf_gdb_processes_xml(gdb), text);
    } else if (begins(&text, "Xfer:osdata:read::")) {
        send_part(gdb,
                  "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"osdata.dtd\"><osdata type=\"types\"><item>"
                  "<column name=\"Type\">processes</column><column name=\"Description\">Cores that are not in reset"
                  "</column><column name=\"Title\">Processes</column></item></osdata>",
                  text);
    } else if (begins(&text, "fThreadInfo")) {
        list_threads(gdb);
    } else if (begins(&text, "sThreadInfo")) {
        reply(gdb, "l");
    } else if (begins(&text, "ThreadExtraInfo,")) {
        describe_thread(gdb, text);
    } else if (begins(&text, "Attached")) {
        reply(gdb, "1");
    } else if (begins(&text, "Rcmd,")) {
        run_command(gdb, text);
    } else if (begins(&text, "Symbol::")) {
        reply(gdb, "OK");
    } else if (strcmp(text, "C") == 0 && gdb->current != 0) {
        snprintf(line, sizeof line, "QCp%x.%x", gdb->current, gdb->current);
        reply(gdb, line);
    } else {
        reply(gdb, "");
    }
}

static void select_thread(struct tf_gdb *gdb, const char *text)
{
    char operation = *text;
    text += operation != '\0';
    unsigned pid;
    if (!read_thread(&text, &pid) || !ends(text) || (pid != 0 && !tf_gdb_is_attached(gdb, pid))) {
        reply(gdb, "E01");
        return;
    }
    if (operation == 'g' && pid != 0)
        tf_gdb_select(gdb, pid);
    else if (gdb->current == 0)
        tf_gdb_select(gdb, tf_packets_first(gdb));
    reply(gdb, "OK");
}

static void tell_alive(struct tf_gdb *gdb, const char *text)
{
    unsigned pid;
    bool good = read_thread(&text, &pid) && ends(text) && tf_gdb_is_attached(gdb, pid);
    reply(gdb, good ? "OK" : "E01");
}

static void why_stopped(struct tf_gdb *gdb)
{
    if (gdb->current == 0 && !gdb->extended)
        attach(gdb, tf_packets_first_running(gdb)); /* for clients that cannot attach */
    else if (gdb->current == 0)
        reply(gdb, "W00");
    else
        stopped(gdb, gdb->current, 5, "");
}

static void verbose(struct tf_gdb *gdb, const char *text)
{
    if (begins(&text, "Cont?"))
        reply(gdb, "vCont;c;C;s;S");
    else if (begins(&text, "Cont"))
        resume_by(gdb, text);
    else if (begins(&text, "Attach;"))
        attach(gdb, read_process(&text));
    else if (begins(&text, "Kill;"))
        end_run(gdb);
    else
        reply(gdb, "");
}

static void handle(struct tf_gdb *gdb, char *packet, size_t bytes)
{
    const char *text = packet + 1;
    bool no_process = gdb->current == 0 && strchr("gGpPmMXzZ", packet[0]) != NULL && packet[0] != '\0';
    if (no_process) {
        reply(gdb, "E01");
        return;
    }
    if (gdb->past && packet[0] != '\0' && strchr("GPMX", packet[0]) != NULL) {
        reply(gdb, "E01"); /* the client's process would not have this change */
        return;
    }
    switch (packet[0]) {
    case '!':
        gdb->extended = true;
        reply(gdb, "OK");
        return;
    case '?': why_stopped(gdb); return;
    case 'g': read_registers(gdb); return;
    case 'G': write_registers(gdb, text); return;
    case 'p': read_register(gdb, text); return;
    case 'P': write_register(gdb, text); return;
    case 'm': read_memory(gdb, text); return;
    case 'M': write_memory(gdb, text, bytes - 1, false); return;
    case 'X': write_memory(gdb, text, bytes - 1, true); return;
    case 'z': change_point(gdb, text, false); return;
    case 'Z': change_point(gdb, text, true); return;
    case 'H': select_thread(gdb, text); return;
    case 'T': tell_alive(gdb, text); return;
    case 'q': query(gdb, text); return;
    case 'v': verbose(gdb, text); return;
    case 'c': resume(gdb, 0); return;
    case 's': resume(gdb, gdb->current); return;
    case 'b':
        if (gdb->reversible && (*text == 's' || *text == 'c'))
            tf_snapshot_reverse(gdb, *text == 's');
        else
            reply(gdb, "");
        return;
    case 'D':
        if (begins(&text, ";"))
            detach(gdb, read_process(&text));
        else {
            reply(gdb, "OK");
            tf_gdb_gone(gdb);
        }
        return;
    case 'k': end_run(gdb); return;
    case 'Q':
        reply(gdb, begins(&text, "StartNoAckMode") ? "OK" : "");
        gdb->no_ack |= strncmp(packet, "QStartNoAckMode", 15) == 0;
        return;
    default: reply(gdb, ""); return;
    }
}

/* Are the two digits after a packet's text its sum? Without acknowledgements nobody could send it again. */
static bool is_intact(const struct tf_gdb *gdb, const char *text, size_t bytes, const char *sum)
{
    uint8_t wanted = 0, got = 0;
    for (size_t i = 0; i < bytes; i++)
        wanted = (uint8_t)(wanted + (uint8_t)text[i]);
    return gdb->no_ack || (from_hex(&got, sum, 1) == 1 && got == wanted);
}

/* Take the next packet from the received bytes. Returns false if it is not complete yet. A damaged packet is refused,
   so that the client sends it again. */
static bool next_packet(struct tf_gdb *gdb, char *packet, size_t *bytes)
{
    for (bool intact = false; !intact;) {
        char *dollar = memchr(gdb->in, '$', gdb->in_bytes);
        if (dollar == NULL) {
            gdb->in_bytes = 0; /* skip acknowledgements, and interrupts that came too late */
            return false;
        }
        drop_input(gdb, (size_t)(dollar - gdb->in));
        char *hash = memchr(gdb->in, '#', gdb->in_bytes);
        if (hash == NULL || hash + 3 > gdb->in + gdb->in_bytes)
            return false;
        *bytes = (size_t)(hash - gdb->in) - 1;
        memcpy(packet, gdb->in + 1, *bytes);
        packet[*bytes] = '\0';
        intact = is_intact(gdb, packet, *bytes, hash + 1);
        drop_input(gdb, *bytes + 4);
        if (!gdb->no_ack)
            tf_gdb_send_all(gdb, intact ? "+" : "-", 1);
    }
    return true;
}

static void serve(struct tf_gdb *gdb)
{
    char *packet = malloc(sizeof gdb->in + 1);
    gdb->running = packet == NULL;
    if (packet == NULL)
        tf_gdb_gone(gdb);
    while (!gdb->running && !gdb->left) {
        size_t bytes;
        if (next_packet(gdb, packet, &bytes))
            handle(gdb, packet, bytes);
        else
            receive(gdb, true);
    }
    free(packet);
}

static void serve_runs(struct tf_gdb *gdb)
{
    do
        serve(gdb);
    while (!gdb->left && tf_snapshot_take(gdb));
}

const struct gdb_front tf_packets_front = {.serve = serve_runs, .stopped = stopped};

bool tf_packets_interrupted(struct tf_gdb *gdb)
{
    if (gdb->front->terminal)
        return false; /* Ctrl-C stops the run */
    while (!gdb->left && receive(gdb, false))
        ;
    char *at = gdb->left ? NULL : memchr(gdb->in, 3, gdb->in_bytes);
    if (at == NULL)
        return false;
    drop_input(gdb, (size_t)(at - gdb->in) + 1);
    return true;
}

void tf_packets_farewell(struct tf_gdb *gdb)
{
    char text[40];
    if (gdb->connection < 0 || gdb->left || gdb->current == 0)
        return;
    snprintf(text, sizeof text, "W00;process:%x", gdb->current);
    reply(gdb, text);
}
