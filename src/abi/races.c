/* SPDX-License-Identifier: Apache-2.0 */
/* TILEFARM_CHECK: reports the races of all chips when they end, less those that TILEFARM_SUPPRESS names. */
#include "abi/races.h"

#include <stdio.h>
#include <stdlib.h>

#include "abi/abi.h"
#include "abi/debug.h"
#include "abi/report.h"
#include "debug/raced.h"
#include "debug/suppress.h"

#define RACES_SHOWN 100u

/* Read the file of a setting. Returns NULL, or why it cannot be used. */
static const char *read_suppressions(struct abi *abi, const char *path, bool checks, struct tf_message *message)
{
    size_t bytes;
    if (!checks)
        return "it needs TILEFARM_CHECK=1";
    char *text = abi_read_file(path, &bytes);
    if (text == NULL)
        return "it cannot be read, or is empty";
    abi->suppressions = tf_suppressions_read(text, bytes, message);
    free(text);
    return abi->suppressions == NULL ? message->text : NULL;
}

void abi_races_begin(struct abi *abi, bool checks)
{
    const char *path = getenv("TILEFARM_SUPPRESS");
    struct tf_message message;
    const char *why = path == NULL || *path == '\0' ? NULL : read_suppressions(abi, path, checks, &message);
    if (why != NULL)
        abi_refuse(abi, "TILEFARM_SUPPRESS: %.100s: %s; no race is suppressed", path, why);
}

/* Say the races of a chip, as long as `shown` allows. Returns how many there are by then. */
static size_t say_races_of(struct abi_device *device, size_t shown)
{
    struct abi *abi = device->abi;
    struct tf_chip *chip = device->chip;
    size_t most = chip == NULL ? 0 : tf_races(chip, NULL, 0);
    struct tf_race *races = most == 0 ? NULL : calloc(most, sizeof *races);
    size_t count = races == NULL ? 0 : tf_races(chip, races, most);
    if (count != 0)
        tf_symbols_match(abi->symbols, chip);
    for (size_t i = 0; i < count; i++) {
        struct tf_raced names;
        tf_raced_name(tf_chip_arch(chip), abi->symbols, &races[i], &names);
        if (!tf_suppressions_match(abi->suppressions, names.side) && shown++ < RACES_SHOWN)
            tf_raced_say(tf_chip_arch(chip), &races[i], &names, abi_print_line, device);
    }
    free(races);
    return shown;
}

void abi_races_end(struct abi *abi)
{
    size_t shown = 0;
    uint64_t dropped = 0;
    for (uint32_t i = 0; abi->chip != NULL && i < abi->devices; i++) {
        shown = say_races_of(&abi->device[i], shown);
        dropped += abi->device[i].chip == NULL ? 0 : tf_races_dropped(abi->device[i].chip);
    }
    if (shown > RACES_SHOWN)
        fprintf(stderr, "tilefarm: race: %zu more are not shown\n", shown - RACES_SHOWN);
    if (shown != 0 && abi->suppressions != NULL && abi->symbols == NULL)
        fputs("tilefarm: TILEFARM_SUPPRESS names functions, and none is known: TILEFARM_SYMBOLS names their programs\n",
              stderr);
    if (dropped != 0)
        fprintf(stderr, "tilefarm: the check forgot %llu old accesses of NOC requests; races with them are missed\n",
                (unsigned long long)dropped);
    tf_suppressions_free(abi->suppressions);
    abi->suppressions = NULL;
}
