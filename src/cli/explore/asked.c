/* SPDX-License-Identifier: Apache-2.0 */
/* What --expect, --expect-hash and --show ask of a run. */
#include <stdlib.h>
#include <string.h>

#include "cli/explore/asked.h"
#include "cli/explore/hunt.h"
#include "cli/text.h"
#include "tile/arch.h"

/* Read [TILE:]ADDRESS, or in systems [[CHIP:]TILE:]ADDRESS. `text` is changed. */
static bool read_place(const struct tf_request *request, const char *option, char *text, struct tf_dump *place)
{
    const struct tf_places places = tf_request_places(request);
    if (!tf_range_take_place(&places, place, option, text))
        return false;
    if (place->address % 4 != 0)
        tf_cli_error("%s: 0x%llx is not a multiple of 4", option, (unsigned long long)place->address);
    return place->address % 4 == 0;
}

bool tf_hunt_take_word(struct tf_hunt *hunt, const char *option, const char *value, bool expected)
{
    struct tf_hunt_word word = {.expected = expected};
    const char *equals = strchr(value, '=');
    size_t length = equals == NULL ? strlen(value) : (size_t)(equals - value);
    uint64_t number = 0;
    char text[sizeof word.name];
    if (expected != (equals != NULL) || length >= sizeof text ||
        (expected && (!tf_cli_u64(equals + 1, &number) || number > UINT32_MAX))) {
        tf_cli_error("%s: '%s' is not %s", option, value, expected ? "[TILE:]ADDR=VALUE" : "[TILE:]ADDR");
        return false;
    }
    if (hunt->words == TF_HUNT_WORDS_MAX) {
        tf_cli_error("%s: more than %u words are given", option, TF_HUNT_WORDS_MAX);
        return false;
    }
    memcpy(text, value, length);
    text[length] = '\0';
    memcpy(word.name, text, sizeof text);
    word.value = (uint32_t)number;
    struct tf_dump place;
    if (!read_place(hunt->request, option, text, &place))
        return false;
    word.chip = place.chip;
    word.node = place.node;
    word.address = place.address;
    hunt->word[hunt->words++] = word;
    return true;
}

bool tf_hunt_take_range(struct tf_hunt *hunt, const char *option, const char *value)
{
    struct tf_hunt_range range = {.expected = false};
    struct tf_shape shape;
    tf_arch_shape(tf_job_arch(&hunt->request->job), &shape);
    char text[sizeof range.name], *end;
    snprintf(text, sizeof text, "%s", value);
    char *equals = strchr(text, '='), *length = strrchr(text, ':');
    if (equals != NULL) {
        *equals = '\0';
        range.expected = true;
        range.hash = strtoull(equals + 1, &end, 16);
        length = strrchr(text, ':');
    }
    snprintf(range.name, sizeof range.name, "%s", text);
    if (strlen(value) >= sizeof text || hunt->ranges == TF_HUNT_WORDS_MAX || length == NULL || length == text ||
        (equals != NULL && (*end != '\0' || end == equals + 1)) || strchr(text, ':') == length ||
        !tf_cli_u64(length + 1, &range.bytes) || range.bytes == 0 || range.bytes > shape.l1_bytes) {
        tf_cli_error("%s: '%s' is not TILE:ADDR:LENGTH or TILE:ADDR:LENGTH=HASH", option, value);
        return false;
    }
    *length = '\0';
    struct tf_dump place;
    if (!read_place(hunt->request, option, text, &place))
        return false;
    range.chip = place.chip;
    range.node = place.node;
    range.address = place.address;
    hunt->range[hunt->ranges++] = range;
    return true;
}
