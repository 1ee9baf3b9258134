/* SPDX-License-Identifier: Apache-2.0 */
/* Back traces of all cores. Equal ones are printed once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/stack.h"
#include "debug/symbols.h"
#include "farm/chip/chip.h"
#include "farm/chip/dram_tiles.h"
#include "farm/waits/waits.h"
#include "farm/waits/who.h"

#define GROUPS_SHOWN 16u

struct group {
    struct tf_waiting wait;
    unsigned count;
    struct tf_frame frame[TF_FRAMES_MAX];
};

/* Describe the activity of a core: "runs", or its wait. Returns false if the core needs no back trace. */
static bool describe(struct tf_tile *tile, unsigned core, bool waiting, char *what, size_t bytes)
{
    const struct tf_hart *hart = &tile->hart[core];
    bool waits = hart->state == TF_CORE_BLOCKED || (hart->state == TF_CORE_PARKED && hart->park.inputs != 0);
    if (hart->state != TF_CORE_RUNNING && !(waits && waiting))
        return false;
    if (waits)
        tf_describe_core(&(struct tf_text){what, bytes, 0}, tile, core);
    else
        snprintf(what, bytes, "runs");
    return true;
}

static bool equal(const struct group *a, const struct group *b)
{
    if (a->wait.core != b->wait.core || a->count != b->count || strcmp(a->wait.what, b->wait.what) != 0)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (a->frame[i].pc != b->frame[i].pc)
            return false;
    return true;
}

static size_t gather(struct tf_chip *chip, const struct tf_symbols *symbols, bool waiting, struct group *groups)
{
    size_t count = 0;
    for (unsigned i = 0; i < tf_chip_tiles(chip); i++) {
        struct tf_tile *tile = tf_chip_tile(chip, i);
        for (unsigned core = 0; tile != NULL && core < tile->arch->cores; core++) {
            struct group *made = &groups[count];
            size_t at = 0;
            *made = (struct group){.wait = {.core = (uint8_t)core, .node = tile->coord}};
            if (!describe(tile, core, waiting, made->wait.what, sizeof made->wait.what))
                continue;
            made->count = tf_stack_of(chip, symbols, (unsigned)tf_symbols_tile(chip->arch, tile->coord), core,
                                      made->frame);
            made->wait.pc = made->frame[0].pc;
            while (at < count && !equal(&groups[at], made))
                at++;
            groups[at].wait.tile[i / 64] |= 1ull << i % 64;
            groups[at].wait.tiles++;
            count += at == count;
        }
    }
    return count;
}

void tf_stacks_print(struct tf_chip *chip, struct tf_symbols *symbols, bool waiting,
                     void (*say)(void *user, const char *line), void *user)
{
    struct group *groups;
    tf_forks_settle_all(&chip->forks, chip->fabric);
    groups = calloc((size_t)tf_chip_tiles(chip) * TF_TILE_CORES + 1, sizeof *groups);
    size_t count = groups == NULL ? 0 : gather(chip, symbols, waiting, groups);
    for (size_t i = 0; i < count && i < GROUPS_SHOWN; i++) {
        char place[TF_PLACE_BYTES], text[TF_WAITING_TEXT_BYTES + TF_PLACE_BYTES], line[sizeof text + 16];
        int tile = tf_symbols_tile(chip->arch, groups[i].wait.node);
        bool known = tile >= 0 && symbols != NULL &&
                     tf_symbols_place(symbols, (unsigned)tile, groups[i].wait.core, groups[i].wait.pc, place,
                                      sizeof place);
        tf_waiting_text(chip->arch, &groups[i].wait, known ? place : NULL, text, sizeof text);
        snprintf(line, sizeof line, "stack: %s", text);
        say(user, line);
        if (symbols != NULL && tile >= 0)
            tf_stack_print(chip, symbols, (unsigned)tile, groups[i].wait.core, say, user);
    }
    if (count > GROUPS_SHOWN) {
        char line[64];
        snprintf(line, sizeof line, "stack: %zu more groups of cores are not shown", count - GROUPS_SHOWN);
        say(user, line);
    }
    free(groups);
}
