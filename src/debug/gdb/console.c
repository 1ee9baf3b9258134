/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/gdb/console.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "debug/gdb/packets.h"
#include "debug/gdb/target.h"
#include "debug/gdb/say.h"
#include "debug/gdb/monitor.h"
#include "debug/gdb/parts.h"
#include "debug/gdb/points.h"
#include "debug/gdb/stop.h"
#include "debug/gdb/named.h"
#include "debug/registers.h"
#include "debug/stack.h"
#include "farm/waits/waits.h"
#include "tile/arch.h"
#include "tile/node_text.h"
#include "tile/riscv/isa/decode.h"

#define LINE_BYTES 512u
#define SHOWN_MAX 1024u /* most words that a command shows */
#define DISASSEMBLED 8u /* instructions, unless the user says how many */

/* The selected core; NULL: none, and the user knows. */
static struct tf_tile *selected(struct tf_gdb *gdb, unsigned *core)
{
    struct tf_tile *tile = tf_gdb_tile(gdb, gdb->current, core);
    if (tile == NULL)
        tf_gdb_say(gdb, "Select a core first: core TILE CORE.\n");
    return tile;
}

/* Only the selected core is attached: `until` stops that one. */
static void select_core(struct tf_gdb *gdb, unsigned pid)
{
    memset(gdb->attached, 0, sizeof gdb->attached);
    tf_gdb_set_attached(gdb, pid, true);
    tf_gdb_select(gdb, pid);
}

static void disassemble_at(struct tf_gdb *gdb, uint32_t address, bool here)
{
    char text[256];
    uint32_t word;
    if (!tf_gdb_read(gdb, gdb->current, address, (uint8_t *)&word, sizeof word)) {
        tf_gdb_say(gdb, "%s%8x:  no memory\n", here ? "=> " : "   ", address);
        return;
    }
    tf_riscv_text(gdb->on->chip->arch, word, address, text, sizeof text);
    tf_gdb_say(gdb, "%s%8x:  %08x  %s\n", here ? "=> " : "   ", address, word, text);
}

/* Print where a core is: "tile 1 (2,2) core B, cycle 120, main+16 (ring.c:9)", and its next instruction. */
static void show_place(struct tf_gdb *gdb)
{
    static const char *const state[] = {
        [TF_CORE_RESET] = ", in reset",  [TF_CORE_RUNNING] = "",       [TF_CORE_PARKED] = ", polls",
        [TF_CORE_BLOCKED] = ", blocked", [TF_CORE_PAUSED] = ", ended", [TF_CORE_FAULTED] = ", at a fault",
    };
    unsigned core;
    const struct tf_tile *tile = tf_gdb_tile(gdb, gdb->current, &core);
    char node[TF_NODE_TEXT_BYTES], place[TF_PLACE_BYTES], chip[TF_GDB_CHIP_BYTES];
    if (tile == NULL)
        return;
    const struct tf_hart *hart = &tile->hart[core];
    tf_gdb_say(gdb, "%s%s core %s, cycle %llu%s:%s\n", tf_gdb_chip_text(gdb, gdb->on, chip),
               tf_node_text(gdb->on->chip->arch, tile->coord, node), tile->arch->core_name[core],
               (unsigned long long)hart->cycle, state[hart->state],
               tf_gdb_place(gdb, tile->coord, core, hart->pc, place));
    if (hart->state != TF_CORE_RESET)
        disassemble_at(gdb, hart->pc, true);
}

static void show_watched(struct tf_gdb *gdb, uint32_t address)
{
    uint32_t word;
    if (tf_gdb_read(gdb, gdb->current, address, (uint8_t *)&word, sizeof word))
        tf_gdb_say(gdb, "Watchpoint: the word at 0x%x is 0x%x.\n", address, word);
    else
        tf_gdb_say(gdb, "Watchpoint at 0x%x\n", address);
}

/* The breakpoint at which a core stands; NULL: none. */
static const struct point *breakpoint_at(const struct tf_gdb *gdb, unsigned pid, uint32_t pc)
{
    for (const struct point *point = gdb->points; point != NULL; point = point->next)
        if (point->kind == POINT_BREAK && point->pid == pid && point->address == pc)
            return point;
    return NULL;
}

static void stopped(struct tf_gdb *gdb, unsigned pid, unsigned signal, const char *reason)
{
    unsigned core;
    const struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    const bool at_breakpoint = tile != NULL && breakpoint_at(gdb, pid, tile->hart[core].pc) != NULL;
    gdb->watched = 0;
    if (gdb->repeats > 0 && pid == gdb->current && signal == 5 && reason[0] == '\0' && !at_breakpoint &&
        --gdb->repeats > 0)
        return;
    gdb->repeats = gdb->until = 0;
    select_core(gdb, pid);
    if (reason[0] != '\0') /* "watch:20000;" */
        show_watched(gdb, (uint32_t)strtoul(strchr(reason, ':') + 1, NULL, 16));
    else if (at_breakpoint)
        tf_gdb_say(gdb, "Breakpoint\n");
    show_place(gdb);
}

/* --- running --- */

/* The core leaves a breakpoint at which it stands. */
static void run_on(struct tf_gdb *gdb, unsigned stepping)
{
    unsigned core;
    const struct tf_tile *tile = tf_gdb_tile(gdb, gdb->current, &core);
    gdb->last.pid = tile != NULL ? gdb->current : 0;
    if (tile != NULL) {
        gdb->last.instret = tile->hart[core].instret;
        gdb->last.pc = tile->hart[core].pc;
    }
    gdb->stepping = stepping;
    gdb->running = gdb->started = true;
    tf_gdb_set_stop(gdb, false); /* Ctrl-C at the prompt */
    if (gdb->console->resumes != NULL)
        gdb->console->resumes(gdb->console->user);
    tf_gdb_rearm(gdb);
}

static bool read_count(struct tf_gdb *gdb, const char *rest, uint64_t preset, uint64_t *count)
{
    char *end;
    *count = preset;
    if (*rest == '\0')
        return true;
    *count = strtoull(rest, &end, 0);
    bool good = end != rest && *end == '\0' && *rest != '-' && *count != 0;
    if (!good)
        tf_gdb_say(gdb, "'%s' is no number from 1 on.\n", rest);
    return good;
}

static void step(struct tf_gdb *gdb, const char *rest)
{
    unsigned core;
    uint64_t count;
    const struct tf_tile *tile = selected(gdb, &core);
    if (tile == NULL || !read_count(gdb, rest, 1, &count))
        return;
    if (tile->hart[core].state == TF_CORE_RESET || tile->hart[core].state == TF_CORE_FAULTED) {
        tf_gdb_say(gdb, "This core executes nothing: it is %s.\n",
                   tile->hart[core].state == TF_CORE_RESET ? "in reset" : "at a fault");
        return;
    }
    gdb->repeats = count;
    run_on(gdb, gdb->current);
}

static void go_on(struct tf_gdb *gdb, const char *rest)
{
    uint64_t cycle;
    if (!read_count(gdb, rest, 0, &cycle))
        return;
    if (cycle != 0 && cycle <= tf_chip_cycles(gdb->on->chip)) {
        tf_gdb_say(gdb, "It is cycle %llu now.\n", (unsigned long long)tf_chip_cycles(gdb->on->chip));
        return;
    }
    if (cycle != 0)
        gdb->until = cycle;
    run_on(gdb, 0);
}

static void leave(struct tf_gdb *gdb, const char *rest)
{
    (void)rest;
    gdb->left = true;
    run_on(gdb, 0);
}

/* The report of a run that has ended stays what it is. */
static void quit(struct tf_gdb *gdb, const char *rest)
{
    leave(gdb, rest);
    if (!gdb->over)
        tf_gdb_end_run(gdb);
}

/* --- places --- */

/* Cut a word off a text. Returns the text after it. */
static const char *take_word(const char *text, char *word, size_t bytes)
{
    size_t length = strcspn(text, " ");
    snprintf(word, bytes, "%.*s", (int)length, text);
    return text + length + strspn(text + length, " ");
}

/* Read a place of the selected core. *rest: the text after it; *bytes: of a variable, else 0. */
static bool take_place(struct tf_gdb *gdb, const char **rest, uint32_t *address, uint32_t *bytes)
{
    char word[LINE_BYTES];
    *rest = take_word(*rest, word, sizeof word);
    if (tf_named_place(gdb, gdb->current, word, address, bytes))
        return true;
    tf_gdb_say(gdb, "'%s' is no place of this core: give an address, a name, NAME+OFFSET, FILE:LINE or $REGISTER.\n",
               word);
    return false;
}

/* The number of the tile at a node; one beyond all if there is none. */
static unsigned tile_at(const struct tf_chip *chip, struct tf_coord node)
{
    unsigned number = 0;
    while (number < tf_chip_tiles(chip) &&
           (tf_chip_tile_node(chip, number)->coord.x != node.x || tf_chip_tile_node(chip, number)->coord.y != node.y))
        number++;
    return number;
}

static void core_of(struct tf_gdb *gdb, const char *rest)
{
    char tile[32], name[16], *end;
    struct tf_coord node = {0};
    take_word(take_word(rest, tile, sizeof tile), name, sizeof name);
    unsigned long index = strtoul(tile, &end, 0);
    if (*end == ':' && index < gdb->chips) { /* the number of a chip */
        gdb->on = &gdb->of[index];
        index = strtoul(end + 1, &end, 0);
    }
    if (*end == ',') { /* coordinates */
        node = (struct tf_coord){.x = (uint8_t)index, .y = (uint8_t)strtoul(end + 1, &end, 0)};
        index = tile_at(gdb->on->chip, node);
    }
    const struct tf_tile_arch *of = *tile != '\0' && *end == '\0' && index < tf_chip_tiles(gdb->on->chip)
                                        ? tf_chip_tile_arch(gdb->on->chip, (unsigned)index)
                                        : NULL;
    for (unsigned core = 0; of != NULL && core < of->cores; core++)
        if (strcasecmp(of->core_name[core], name) != 0)
            continue;
        else if (tf_chip_tile(gdb->on->chip, (unsigned)index) == NULL) {
            tf_gdb_say(gdb,
                       "Nobody has used this core yet. Load a program for it, or let the run come to its start.\n");
            return;
        } else {
            select_core(gdb, pid_of(gdb->on, (unsigned)index, core));
            show_place(gdb);
            return;
        }
    tf_gdb_select(gdb, gdb->current);
    tf_gdb_say(gdb, "core TILE CORE: a tile by its index or as x,y, and a core of it: B, NC, T0, T1 or T2; E0 or E1; "
                    "DRISC; of a system CHIP:TILE\n");
}

/* --- breakpoints and watchpoints --- */

static void list_points(struct tf_gdb *gdb)
{
    for (const struct point *point = gdb->points; point != NULL; point = point->next) {
        unsigned core;
        const struct tf_tile *tile = tf_gdb_tile(gdb, point->pid, &core);
        char node[TF_NODE_TEXT_BYTES], place[TF_PLACE_BYTES] = "", chip[TF_GDB_CHIP_BYTES];
        if (point->kind == POINT_CONDITION)
            continue;
        gdb->on = tf_gdb_chip(gdb, point->pid);
        if (point->kind == POINT_BREAK)
            tf_gdb_place(gdb, tile->coord, core, point->address, place);
        tf_gdb_say(gdb, "%u: %s, %s%s core %s, 0x%x%s\n", point->number,
                   point->kind == POINT_BREAK ? "breakpoint" : "watchpoint", tf_gdb_chip_text(gdb, gdb->on, chip),
                   tf_node_text(gdb->on->chip->arch, tile->coord, node), tile->arch->core_name[core], point->address,
                   place);
    }
    tf_gdb_select(gdb, gdb->current);
    if (gdb->points == NULL)
        tf_gdb_say(gdb, "There is none.\n");
}

static void add_point(struct tf_gdb *gdb, enum point_kind kind, uint32_t address, uint32_t bytes)
{
    struct point *point = calloc(1, sizeof *point), **end = &gdb->points;
    if (point == NULL) {
        tf_gdb_say(gdb, "too little memory\n");
        return;
    }
    *point = (struct point){
        .pid = gdb->current, .kind = (uint8_t)kind, .address = address, .bytes = bytes, .number = ++gdb->points_made};
    while (*end != NULL)
        end = &(*end)->next;
    *end = point;
    tf_gdb_rearm(gdb);
    list_points(gdb);
}

static void break_at(struct tf_gdb *gdb, const char *rest)
{
    unsigned core;
    uint32_t address, bytes;
    if (*rest == '\0')
        list_points(gdb);
    else if (selected(gdb, &core) != NULL && take_place(gdb, &rest, &address, &bytes))
        add_point(gdb, POINT_BREAK, address, 4);
}

static void watch(struct tf_gdb *gdb, const char *rest)
{
    unsigned core;
    uint32_t address, bytes;
    uint64_t wanted;
    if (*rest == '\0')
        list_points(gdb);
    else if (selected(gdb, &core) != NULL && take_place(gdb, &rest, &address, &bytes) &&
             read_count(gdb, rest, bytes != 0 ? bytes : 4, &wanted)) {
        if (wanted <= UINT32_MAX - address)
            add_point(gdb, POINT_WRITE, address, (uint32_t)wanted);
        else
            tf_gdb_say(gdb, "There are not so many bytes behind 0x%x.\n", address);
    }
}

static void delete_point(struct tf_gdb *gdb, const char *rest)
{
    uint64_t number;
    if (*rest == '\0')
        tf_gdb_drop_points(gdb);
    else if (!read_count(gdb, rest, 0, &number))
        return;
    for (struct point **at = &gdb->points; *at != NULL; at = &(*at)->next) {
        struct point *point = *at;
        if (point->number != number || point->kind == POINT_CONDITION)
            continue;
        *at = point->next;
        free(point);
        break;
    }
    tf_gdb_rearm(gdb);
    list_points(gdb);
}

/* --- what there is --- */

/* Print a register by its name: those of the ABI, of CSRs, pc, xN, fN and vN. */
static void show_register(struct tf_gdb *gdb, const char *name)
{
    char *end;
    unsigned long index = strtoul(name + 1, &end, 10);
    const bool numbered = end != name + 1 && *end == '\0' && index < 32;
    int number = tf_gdb_register_number(name, strlen(name));
    uint32_t value;
    if (numbered && *name == 'v') {
        const uint8_t *v = tf_gdb_vector(gdb, gdb->current, tf_gdb_vector_number((unsigned)index));
        for (unsigned i = 0; v != NULL && i < GDB_VECTOR_BYTES; i += 4)
            tf_gdb_say(gdb, "%s%02x%02x%02x%02x", i == 0 ? "" : " ", v[i + 3], v[i + 2], v[i + 1], v[i]);
        tf_gdb_say(gdb, v != NULL ? "\n" : "This core has no vector registers.\n");
        return;
    }
    if (number < 0 && numbered && (*name == 'x' || *name == 'f'))
        number = (int)index + (*name == 'f' ? 33 : 0);
    if (number < 0 || !tf_gdb_register(gdb, gdb->current, (unsigned)number, &value))
        tf_gdb_say(gdb, "No register '%s'.\n", name);
    else
        tf_gdb_say(gdb, "%-8s 0x%08x  %d\n", name, value, (int32_t)value);
}

static void show_registers(struct tf_gdb *gdb, const char *rest)
{
    unsigned core;
    uint32_t value;
    char word[32];
    if (selected(gdb, &core) == NULL)
        return;
    for (unsigned i = 0; *rest == '\0' && i < 32 && tf_gdb_register(gdb, gdb->current, i, &value); i++)
        tf_gdb_say(gdb, "%-4s %08x%s", tf_rv_x_names[i], value, i % 4 == 3 ? "\n" : "   ");
    if (*rest == '\0')
        show_register(gdb, "pc");
    while (*rest != '\0') {
        rest = take_word(rest, word, sizeof word);
        show_register(gdb, word[0] == '$' ? word + 1 : word);
    }
}

static void show_memory(struct tf_gdb *gdb, const char *rest)
{
    unsigned core;
    uint32_t at, bytes, word;
    uint64_t words;
    char name[TF_REGISTER_TEXT_BYTES];
    const struct tf_tile *tile = selected(gdb, &core);
    if (tile == NULL || !take_place(gdb, &rest, &at, &bytes) || !read_count(gdb, rest, (bytes + 3) / 4, &words))
        return;
    at &= ~3u;
    words = words == 0 ? 1 : words > SHOWN_MAX ? SHOWN_MAX : words;
    for (uint64_t i = 0; i < words; i++, at += 4) {
        const bool named = tile->tensix != NULL && at >= tile->arch->l1_bytes &&
                           tf_register_text(gdb->on->chip->arch, at, name, sizeof name);
        if (i % 4 == 0 || named)
            tf_gdb_say(gdb, "%s%8x:", i == 0 ? "" : "\n", at);
        if (tf_gdb_read(gdb, gdb->current, at, (uint8_t *)&word, sizeof word))
            tf_gdb_say(gdb, "  %08x", word);
        else
            tf_gdb_say(gdb, "  no memory, or reading it has an effect");
        if (named)
            tf_gdb_say(gdb, "  %s", name);
    }
    tf_gdb_say(gdb, "\n");
}

static void disassemble(struct tf_gdb *gdb, const char *rest)
{
    unsigned core;
    uint32_t at, bytes, start;
    uint64_t count;
    const struct tf_tile *tile = selected(gdb, &core);
    if (tile == NULL)
        return;
    const unsigned number = (unsigned)tf_symbols_tile(gdb->on->chip->arch, tile->coord);
    const uint32_t pc = tile->hart[core].pc;
    at = pc;
    if (*rest != '\0' && !take_place(gdb, &rest, &at, &bytes))
        return;
    if (!read_count(gdb, rest, DISASSEMBLED, &count))
        return;
    for (uint64_t i = 0; i < count && i < SHOWN_MAX; i++, at += 4) {
        const char *function = tf_symbols_function(tf_gdb_symbols(gdb), number, core, at, &start);
        if (function != NULL && start == at)
            tf_gdb_say(gdb, "%s:\n", function);
        disassemble_at(gdb, at & ~3u, at == pc);
    }
}

static void say_line(void *user, const char *line)
{
    tf_gdb_say(user, "%s\n", line);
}

static void show_stack(struct tf_gdb *gdb, const char *rest)
{
    unsigned core;
    const struct tf_tile *tile = selected(gdb, &core);
    (void)rest;
    if (tile == NULL)
        return;
    show_place(gdb);
    if (tf_gdb_symbols(gdb) != NULL)
        tf_stack_print(gdb->on->chip, tf_gdb_symbols(gdb), (unsigned)tf_symbols_tile(gdb->on->chip->arch, tile->coord),
                       core, say_line, gdb);
}

/* --- commands --- */

static void show_help(struct tf_gdb *gdb, const char *rest);

/* The first one that begins with the user's word is meant. */
static const struct {
    const char *name, *arguments, *help;
    void (*call)(struct tf_gdb *gdb, const char *rest);
} commands[] = {
    {"step", " [N]", "execute N instructions of the core", step},
    {"continue", " [CYCLE]", "run to the next breakpoint or watchpoint, or to this cycle", go_on},
    {"break", " [PLACE]", "stop before the core executes this place; without PLACE, list them", break_at},
    {"registers", " [NAME...]", "registers of the core: a0, x10, pc, mcycle, f1, v2", show_registers},
    {"memory", " PLACE [WORDS]", "words as the core sees them, with the names of registers", show_memory},
    {"disassemble", " [PLACE] [COUNT]", "instructions, from the next one on", disassemble},
    {"core", " TILE CORE", "select a core, as in 'core 3 T1' or 'core 1,2 B'", core_of},
    {"watch", " [PLACE [BYTES]]", "stop when anybody writes there", watch},
    {"where", "", "the stack of the core", show_stack},
    {"delete", " [NUMBER]", "remove a breakpoint or watchpoint, or all", delete_point},
    {"leave", "", "run on without the monitor", leave},
    {"quit", "", "end the run at the end of this epoch, with a report", quit},
    {"help", "", "these commands", show_help},
};

static void show_help(struct tf_gdb *gdb, const char *rest)
{
    (void)rest;
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++)
        tf_gdb_say(gdb, "%s%s: %s\n", commands[i].name, commands[i].arguments, commands[i].help);
    tf_gdb_monitor(gdb, "help");
    tf_gdb_say(gdb,
               "PLACE: an address, a function or a variable, NAME+OFFSET, FILE:LINE or $REGISTER. A command may be "
               "cut short: s, c, b. An empty line repeats the last one.\n");
}

static void execute(struct tf_gdb *gdb, const char *line)
{
    size_t length = strcspn(line, " ");
    const char *rest = line + length + strspn(line + length, " ");
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strncmp(commands[i].name, line, length) == 0) {
            commands[i].call(gdb, rest);
            return;
        }
    tf_gdb_monitor(gdb, line);
}

/* Remove the end of a line, and the blanks around its text. */
static char *trim(char *line)
{
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r\n", line[length - 1]) != NULL)
        line[--length] = '\0';
    for (char *tab = line; (tab = strchr(tab, '\t')) != NULL;)
        *tab = ' ';
    return line;
}

static void serve(struct tf_gdb *gdb)
{
    const struct tf_console *console = gdb->console;
    char line[LINE_BYTES];
    gdb->running = false;
    if (gdb->current == 0) {
        select_core(gdb, tf_packets_first_running(gdb));
        show_place(gdb);
    }
    if (gdb->repeats > 0)
        run_on(gdb, gdb->current);
    while (!gdb->running && !gdb->left) {
        if (console->prompts)
            fputs("(tilefarm) ", console->out);
        fflush(console->out);
        if (fgets(line, sizeof line, console->in) == NULL) {
            tf_gdb_say(gdb, "\n");
            quit(gdb, "");
            return;
        }
        const char *text = trim(line);
        if (*text == '\0' && console->prompts)
            text = gdb->line;
        else if (*text != '\0')
            snprintf(gdb->line, sizeof gdb->line, "%s", text);
        if (*text != '\0' && *text != '#')
            execute(gdb, text);
    }
}

static void say(struct tf_gdb *gdb, const char *text)
{
    fputs(text, gdb->console->out);
}

struct tf_gdb *tf_console_open(const struct tf_console *console)
{
    static const struct gdb_front terminal = {.terminal = true, .serve = serve, .stopped = stopped, .say = say};
    struct tf_gdb *gdb = calloc(1, sizeof *gdb);
    if (gdb == NULL)
        return NULL;
    gdb->listener = gdb->connection = gdb->up = gdb->forward[0] = gdb->forward[1] = -1;
    gdb->console = console;
    gdb->front = &terminal;
    return gdb;
}
