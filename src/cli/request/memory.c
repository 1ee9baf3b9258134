/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/memory.h"

#include <stdlib.h>
#include <string.h>

#include "cli/request/request.h"
#include "cli/request/value.h"
#include "cli/text.h"
#include "tile/arch.h"

/* Read the number of a chip and a colon, if places begin with them: *text then leads behind them. Returns false after
   an error line. */
static bool take_chip(const struct tf_request *request, const char *option, char **text, bool *of_chip, unsigned *chip)
{
    char *colon = *text != NULL ? strchr(*text, ':') : NULL;
    const struct tf_places places = tf_request_places(request);
    *of_chip = colon != NULL;
    *chip = 0;
    if (!*of_chip)
        return true;
    tf_value_cut(colon);
    if (!tf_place_take_chip(&places, option, *text, chip))
        return false;
    *text = colon + 1;
    return true;
}

/* Read TILES, or PORTS of an Ethernet core, of a load: with --system behind the number of a chip and a colon. Returns
   false after an error line. */
static bool take_places(const struct tf_request *request, const char *option, char *text, struct tf_load *load)
{
    if (!take_chip(request, option, &text, &load->of_chip, &load->chip))
        return false;
    return tf_value_tiles(&load->tiles, tf_job_arch(&request->job), "", load->kind, option, text == NULL ? "0" : text);
}

/* Read CORE=FILE[@TILES], and for flat images CORE=FILE:ADDRESS[@TILES]. */
static bool take_program(struct tf_request *request, const char *option, const char *value, bool flat)
{
    if (request->job.loads == TF_LOADS_MAX) {
        tf_cli_error("%s: given for more than %u programs", option, TF_LOADS_MAX);
        return false;
    }
    struct tf_load load = {.flat = flat};
    char *text = tf_value_copy(value), *file = text == NULL ? NULL : tf_value_cut(strchr(text, '='));
    char *tiles = file == NULL ? NULL : tf_value_cut(strrchr(file, '@'));
    char *address = file == NULL || !flat ? NULL : tf_value_cut(strrchr(file, ':'));
    uint64_t number = 0;
    bool fine = false;
    struct tf_shape shape;
    tf_arch_shape(tf_job_arch(&request->job), &shape);
    if (text == NULL)
        return false;
    if (file == NULL || file[0] == '\0')
        tf_value_bad(option, value, flat ? "CORE=FILE:ADDRESS[@TILES]" : "CORE=FILE[@TILES], as in B=kernel.b.elf");
    else if (flat ? !tf_cli_core(text, &load.core) : !tf_cli_any_core(text, &load.kind, &load.core))
        tf_cli_error("%s: no core '%s' (B, NC, T0, T1, T2%s)", option, text, flat ? "" : ", E0, E1, DRISC");
    else if (flat && (address == NULL || !tf_cli_u64(address, &number) || number % 4 != 0 || number >= shape.l1_bytes))
        tf_value_bad(option, value, "CORE=FILE:ADDRESS[@TILES] with an address in L1 that is a multiple of 4");
    else if (take_places(request, option, tiles, &load))
        fine = (load.path = tf_value_copy(file)) != NULL;
    free(text);
    load.address = (uint32_t)number;
    if (fine)
        request->load[request->job.loads++] = load;
    return fine;
}

bool tf_take_load(void *into, const char *option, const char *value)
{
    return take_program(into, option, value, false);
}

bool tf_take_flat(void *into, const char *option, const char *value)
{
    return take_program(into, option, value, true);
}

bool tf_take_arguments(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    if (request->argument_lists == TF_ARGUMENTS_MAX) {
        tf_cli_error("%s: given more than %u times", option, TF_ARGUMENTS_MAX);
        return false;
    }
    struct tf_arguments *list = &request->arguments[request->argument_lists++];
    char *text = tf_value_copy(value), *tiles = text != NULL ? tf_value_cut(strchr(text, '@')) : NULL;
    const bool fine = text != NULL && take_chip(request, option, &tiles, &list->of_chip, &list->chip) &&
                      tf_arguments_take(list, tf_job_arch(&request->job), option, text, tiles);
    free(text);
    return fine;
}

/* Read [[CHIP:]TILE:]ADDRESS=VALUE. */
bool tf_take_until(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    struct tf_run_options *run = &request->job.run;
    const struct tf_places places = tf_request_places(request);
    struct tf_dump range = {.chip = 0};
    char text[96];
    uint64_t word;
    snprintf(text, sizeof text, "%s", value);
    char *expected = tf_value_cut(strchr(text, '='));
    if (strlen(value) >= sizeof text || expected == NULL || !tf_cli_u64(expected, &word) || word > UINT32_MAX)
        return tf_value_bad(option, value, "[TILE:]ADDRESS=VALUE with a 32-bit value");
    if (!tf_range_take_place(&places, &range, option, text))
        return false;
    if (range.address % 4 != 0)
        return tf_value_bad(option, value, "[TILE:]ADDRESS=VALUE with an address that is a multiple of 4");
    run->until = true;
    run->until_node = range.node;
    run->until_address = range.address;
    run->until_value = (uint32_t)word;
    request->until_chip = range.chip;
    return true;
}

/* Read one range or several into those that an option has given so far. */
static bool take_ranges(const struct tf_request *request, struct tf_dump *range, unsigned *ranges, unsigned most,
                        const char *option, const char *value, bool sized)
{
    const struct tf_places places = tf_request_places(request);
    if (*ranges == most) {
        tf_cli_error("%s: given for more than %u ranges", option, most);
        return false;
    }
    const unsigned count = tf_range_take(&places, &range[*ranges], most - *ranges, option, value, sized);
    *ranges += count;
    return count != 0;
}

bool tf_take_dump(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    return take_ranges(request, request->dump, &request->dumps, TF_DUMPS_MAX, option, value, true);
}

bool tf_take_write(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    return take_ranges(request, request->input, &request->inputs, TF_WRITES_MAX, option, value, false);
}

bool tf_take_symbols(void *into, const char *option, const char *value)
{
    struct tf_job *job = &((struct tf_request *)into)->job;
    if (job->names < TF_NAMES_MAX) {
        job->named[job->names++].path = value;
        return true;
    }
    tf_cli_error("%s: given more than %u times", option, TF_NAMES_MAX);
    return false;
}
