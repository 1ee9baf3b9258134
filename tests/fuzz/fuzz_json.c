/* SPDX-License-Identifier: Apache-2.0 */
/* Reports in JSON, as `tilefarm timing diff` reads them. An input is compared with itself. */
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/timing.h"
#include "driver.h"

const char *const fuzz_words[] = {"\"timing\":", "\"cycles\":",
                                  "\"tiles\":",  "\"cores\":",
                                  "\"units\":",  "\"index\":",
                                  "\"dram\":",   "\"noc_out\":",
                                  "\"noc_in\":", "\"arch\":",
                                  "{",           "}",
                                  "[",           "]",
                                  ",",           "\"\\u001b[2J\"",
                                  "-1",          "9223372036854775807",
                                  "1e300",       "null",
                                  NULL};

static const char *const seeds[] = {
    "{\"arch\": \"blackhole\", \"cycles\": 900, \"timing\": {\"tiles\": [{\"index\": 3, "
    "\"cores\": {\"B\": {\"cycles\": 900, \"issue\": 400, \"load\": 500}}, \"units\": {\"matrix\": 70}, "
    "\"noc_out\": [5, 6], \"noc_in\": [7, 8]}], \"dram\": [1, 2, 3]}}",
    "{\"arch\": \"wormhole\", \"cycles\": 9223372036854775807, \"timing\": {\"tiles\": [{\"index\": 4294967299, "
    "\"cores\": {\"B\": {\"load\": 9223372036854775807}, \"NC\": {\"load\": 9223372036854775807}}}]}}",
};

size_t fuzz_seed(unsigned number, uint8_t *data, size_t room)
{
    size_t bytes = number < sizeof seeds / sizeof seeds[0] ? strlen(seeds[number]) : 0;
    if (bytes != 0 && bytes <= room)
        memcpy(data, seeds[number], bytes);
    return bytes <= room ? bytes : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    fuzz_silence();
    const char *path = fuzz_file(data, bytes);
    char name[64];
    if (path == NULL || strlen(path) >= sizeof name)
        return 0;
    strcpy(name, path);
    char *words[] = {"timing", "diff", name, name, NULL};
    const int code = tf_cli_timing(4, words);
    DEMAND(code == TF_EXIT_OK || code == TF_EXIT_USAGE || code == TF_EXIT_FAILED);
    return 0;
}
