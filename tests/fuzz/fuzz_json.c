/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of `tilefarm bench --json`, as `tilefarm bench --from` reads and draws them. */
#include <dirent.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/command.h"
#include "cli/cli.h"
#include "driver.h"

const char *const fuzz_words[] = {"\"rows\"",
                                  "\"name\"",
                                  "\"alu-5x140\"",
                                  "\"threads\"",
                                  "\"median\"",
                                  "\"least\"",
                                  "\"most\"",
                                  "\"ratio\"",
                                  "\"speed_up\"",
                                  "\"counters\"",
                                  "\"side\"",
                                  "\"peer\"",
                                  "\"mode\"",
                                  "\"relaxed\"",
                                  "\"right\"",
                                  "true",
                                  "null",
                                  "1e308",
                                  "-1",
                                  "1e-320",
                                  "2147483647",
                                  "\"numa_nodes\"",
                                  "\"cores\"",
                                  "\"\\u001b[2J\"",
                                  "{",
                                  "}",
                                  "[",
                                  "]",
                                  NULL};

#define ROW(name_, side_, threads_, median_)                                                                      \
    "{\"name\": \"" name_ "\", \"side\": \"" side_ "\", \"mode\": \"deterministic\", \"threads\": " threads_      \
    ", \"right\": true, \"median\": " median_ ", \"least\": " median_ ", \"most\": " median_ ", \"ratio\": 2.5, " \
    "\"speed_up\": 1.5, \"cores\": 4, \"numa_nodes\": 1, \"counters\": {\"epochs\": 100, \"wall_s\": 1.5, "       \
    "\"compute_s\": 1.0, \"deliver_s\": 0.25, \"wait_s\": 0.25}}"

static const char *const seeds[] = {
    "{\"host\": \"a host\", \"rows\": [" ROW("alu-5x140", "tilefarm", "1",
                                             "1281.5") ", " ROW("alu-5x140", "tilefarm", "8",
                                                                "8000") ", " ROW("alu-5x140", "peer", "1", "195") "]}",
    "{\"host\": \"a host\", \"rows\": [" ROW("mvmul-bf16-0", "tilefarm", "1", "4.6") ", " ROW(
        "barrier-700", "tilefarm", "2", "0.001") ", " ROW("small-runs", "tilefarm", "64", "12") "]}",
};

size_t fuzz_seed(unsigned number, uint8_t *data, size_t room)
{
    size_t bytes = number < sizeof seeds / sizeof seeds[0] ? strlen(seeds[number]) : 0;
    if (bytes != 0 && bytes <= room)
        memcpy(data, seeds[number], bytes);
    return bytes <= room ? bytes : 0;
}

static void remove_folder(const char *path)
{
    char name[PATH_MAX];
    struct dirent *entry;
    DIR *folder = opendir(path);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        unlink(name);
    }
    if (folder != NULL)
        closedir(folder);
    rmdir(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char folder[] = "/dev/shm/tilefarm.fuzz.XXXXXX";
    fuzz_silence();
    const char *path = fuzz_file(data, bytes);
    if (path == NULL || mkdtemp(folder) == NULL)
        abort();
    char *argv[] = {(char *)"bench", (char *)"--from", (char *)path, (char *)"--plots", folder, NULL};
    int code = tf_cli_bench(5, argv);
    DEMAND(code == TF_EXIT_OK || code == TF_EXIT_USAGE || code == TF_EXIT_FAILED);
    remove_folder(folder);
    return 0;
}
