/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of waits on stderr. They come when no core has acted for long (TILEFARM_HANG), on SIGUSR1 if the library may
 * take that signal (TILEFARM_SIGUSR1), and at the end. The report changes nothing in the chip.
 */
#include "abi/hang.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/debug.h"
#include "abi/fetch.h"
#include "abi/report.h"
#include "host/clock.h"
#include "system/waits.h"

/* A number that changes if any core has executed an instruction or issued a request. */
static uint64_t work_done(struct abi *abi)
{
    uint64_t work = 0;
    abi_fetch_all(abi);
    for (uint32_t i = 0; i < abi->devices; i++) {
        struct tf_stats stats;
        tf_stats(abi->device[i].chip, &stats);
        work += stats.instructions_executed + stats.noc_requests;
    }
    return work;
}

/* Returns the number of lines. */
static size_t print_waits_of(struct abi_device *device)
{
    struct abi *abi = device->abi;
    struct tf_chip *chip = device->chip;
    tf_symbols_match(abi->symbols, chip);
    size_t most = tf_waits(chip, NULL, 0), count = 0;
    struct tf_waiting *waits = calloc(most + 1, sizeof *waits);
    if (waits != NULL)
        count = tf_waits(chip, waits, most);
    for (size_t i = 0; i < count; i++) {
        char line[TF_WAITING_TEXT_BYTES + TF_PLACE_BYTES];
        char place[TF_PLACE_BYTES] = "";
        char of_chip[ABI_OF_CHIP_BYTES];
        int tile = tf_symbols_tile(tf_chip_arch(chip), waits[i].node);
        bool known = tile >= 0 && !waits[i].thread && abi->symbols != NULL &&
                     tf_symbols_place(abi->symbols, (unsigned)tile, waits[i].core, waits[i].pc, place, sizeof place);
        tf_waiting_text(tf_chip_arch(chip), &waits[i], known ? place : NULL, line, sizeof line);
        fprintf(stderr, "tilefarm: %s: %s%s\n", waits[i].stuck ? "waits" : "done",
                abi_of_chip(device, " ", " ", of_chip), line);
        if (known && waits[i].stuck)
            tf_stack_print(chip, abi->symbols, (unsigned)tile, waits[i].core, abi_print_line, device);
    }
    free(waits);
    return count;
}

static void print_link(void *user, const char *line)
{
    fprintf(stderr, "tilefarm: chip %u: %s\n", *(const unsigned *)user, line);
}

static void print_waits(struct abi *abi)
{
    size_t count = 0;
    abi_fetch_all(abi);
    for (uint32_t i = 0; i < abi->devices; i++)
        count += print_waits_of(&abi->device[i]);
    const unsigned chips = abi->system != NULL ? tf_system_cluster(abi->system)->chips : 0;
    for (unsigned chip = 0; chip < chips; chip++)
        tf_system_say_links(abi->system, chip, print_link, &chip);
    if (count == 0)
        fputs("tilefarm: waits: no core waits\n", stderr);
}

/* Does any core wait? */
static bool waits(struct abi *abi)
{
    bool any = false;
    abi_fetch_all(abi);
    for (uint32_t i = 0; i < abi->devices; i++)
        any |= tf_describe_waits(abi->device[i].chip, NULL, 0) > 0;
    return any;
}

/* Read SECONDS, or cycles:N. */
static bool parse(const char *text, struct abi_hang *hang)
{
    char *end;
    if (strncmp(text, "cycles:", 7) == 0) {
        unsigned long long cycles = strtoull(text + 7, &end, 0);
        hang->cycles = cycles;
        return end != text + 7 && *end == '\0' && text[7] != '-' && cycles > 0;
    }
    hang->seconds = strtod(text, &end);
    return end != text && *end == '\0' && hang->seconds > 0 && hang->seconds < 1e9;
}

static void take_signal(struct abi_signal *taken, void (*handler)(int number))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, &before);
    if (taken->handler == NULL)
        *taken = (struct abi_signal){.handler = handler, .before = before};
}

/* Is the code of a signal handler still loaded? It may belong to a copy of the library that was unloaded. */
static bool is_loaded(const struct sigaction *action)
{
    Dl_info object;
    void *code;
    if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN)
        return true;
    memcpy(&code, &action->sa_handler, sizeof code);
    return dladdr(code, &object) != 0;
}

void abi_signal_end(struct abi_signal *given)
{
    struct sigaction action;
    if (given->handler == NULL || sigaction(SIGUSR1, NULL, &action) != 0 || action.sa_handler != given->handler)
        return;
    if (!is_loaded(&given->before))
        given->before = (struct sigaction){.sa_handler = SIG_DFL};
    sigaction(SIGUSR1, &given->before, NULL);
    given->handler = NULL;
}

void abi_hang_begin(struct abi *abi, void (*on_signal)(int number))
{
    const char *text = getenv("TILEFARM_HANG");
    abi->hang = (struct abi_hang){.on = text != NULL && *text != '\0', .since_s = tf_seconds()};
    if (abi->hang.on && !parse(text, &abi->hang)) {
        abi->hang.on = false;
        abi_refuse(abi, "TILEFARM_HANG is neither a number of seconds nor cycles:N; it is ignored");
    }
    text = getenv("TILEFARM_SIGUSR1");
    abi->hang.signal = text != NULL && strcmp(text, "1") == 0;
    if (abi->hang.signal)
        take_signal(&abi->signal, on_signal);
}

void abi_hang_check(struct abi *abi)
{
    struct abi_hang *hang = &abi->hang;
    if (hang->signal && hang->asked) {
        hang->asked = 0;
        fprintf(stderr, "tilefarm: note: SIGUSR1 in cycle %llu\n", (unsigned long long)abi_cycles(abi));
        print_waits(abi);
        for (uint32_t i = 0; i < abi->devices; i++)
            tf_stacks_print(abi->device[i].chip, abi->symbols, false, abi_print_line, &abi->device[i]);
    }
    if (!hang->on || abi->running)
        return;
    uint64_t work = work_done(abi), cycle = abi_cycles(abi);
    if (work != hang->work) {
        hang->said = false;
        hang->work = work;
        hang->since_cycle = cycle;
        hang->since_clock = hang->clocks;
        hang->since_s = tf_seconds();
        return;
    }
    double idle_s = tf_seconds() - hang->since_s;
    bool expired = hang->cycles != 0 ? hang->clocks - hang->since_clock >= hang->cycles : idle_s >= hang->seconds;
    if (hang->said || !expired || work == 0)
        return;
    hang->said = true;
    fprintf(stderr, "tilefarm: hang: no core has done anything since cycle %llu, for %llu cycles and %.1f s\n",
            (unsigned long long)hang->since_cycle, (unsigned long long)(cycle - hang->since_cycle), idle_s);
    print_waits(abi);
}

/* A debugger uses this, too. */
void abi_hang_progress(void *user, uint64_t cycle, uint64_t instructions)
{
    struct abi *abi = ((const struct abi_device *)user)->abi;
    (void)cycle;
    (void)instructions;
    abi_hang_check(abi);
    if (abi->gdb != NULL)
        tf_gdb_poll(abi->gdb);
}

void abi_hang_end(struct abi *abi)
{
    if (abi->chip != NULL && abi->hang.on && !abi->hang.said && waits(abi)) {
        fputs("tilefarm: hang: cores still wait when the client ends\n", stderr);
        print_waits(abi);
    }
    abi_signal_end(&abi->signal);
    abi->hang = (struct abi_hang){.on = false};
}
