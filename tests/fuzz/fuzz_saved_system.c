/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of saved systems, beside the files of their chips, which stay as they are. An input is such a file; its
 * checksums are made right, so that changes reach the fields. What is restored runs on, and is saved again. An input
 * that begins with ! is a file as it is.
 */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "cli/systems/links.h"
#include "driver.h"
#include "saved_seal.h"
#include "system_wish.h"

const char *const fuzz_words[] = {NULL};

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static struct tf_system *new_system(void)
{
    struct tf_cluster cluster;
    struct tf_system *system = NULL;
    struct system_wish config;
    system_wish_init(&config);
    config.cluster = &cluster;
    config.chip.threads = 1;
    config.chip.pin = false;
    config.chip.go_on_after_fault = true;
    if (tf_cluster_find("n300", &cluster, NULL) != TF_OK || system_wish_create(&config, &system, NULL) != TF_OK)
        abort();
    return system;
}

static void run(struct tf_system *system, uint64_t cycles)
{
    const struct tf_system_run_options options = {.run.cycles_max = cycles};
    if (tf_system_run(system, &options, NULL) != TF_OK)
        abort();
}

static void remove_folder(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        _exit(1);
}

/* Save a system whose links carry packets, once. */
static void save_seed(void)
{
    if (folder[0] != '\0')
        return;
    strcpy(folder, "/tmp/tilefarm.fuzz.XXXXXX");
    if (mkdtemp(folder) == NULL)
        abort();
    atexit(remove_folder);
    struct tf_system *seed = new_system();
    const struct tf_workload_options options = {.scale = 5};
    struct tf_message message;
    struct tf_link_stats stats = {.waiting = 0};
    void *work = NULL;
    if (tf_system_stream.setup(seed, &options, &work, &message) != TF_OK)
        abort();
    while (stats.waiting == 0) {
        run(seed, 640);
        if (tf_link_stats(seed, 0, &stats) != TF_OK)
            abort();
    }
    if (tf_system_save(seed, in_folder("seed"), &message) != TF_OK)
        abort();
    tf_system_stream.release(work);
    tf_system_destroy(seed);
}

size_t fuzz_seed(unsigned number, uint8_t *data, size_t room)
{
    save_seed();
    FILE *file = number == 0 ? fopen(in_folder("seed"), "rb") : NULL;
    if (file == NULL)
        return 0;
    size_t bytes = fread(data, 1, room, file);
    fclose(file);
    return bytes;
}

static void write_input(const uint8_t *data, size_t bytes, bool raw)
{
    uint8_t *copy = malloc(bytes + 1);
    if (copy == NULL)
        abort();
    memcpy(copy, data, bytes);
    if (!raw)
        saved_seal(copy, bytes, TF_SAVED_SYSTEM);
    FILE *file = fopen(in_folder("seed"), "wb");
    if (file == NULL || fwrite(copy + raw, 1, bytes - raw, file) != bytes - raw || fclose(file) != 0)
        abort();
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct tf_message message;
    fuzz_silence();
    save_seed();
    write_input(data, bytes, bytes != 0 && data[0] == '!');
    struct tf_system *system = new_system();
    int error = tf_system_restore(system, in_folder("seed"), &message);
    DEMAND(error == TF_OK || memchr(message.text, '\0', sizeof message.text) != NULL);
    run(system, 8192);
    tf_system_hash(system);
    DEMAND(tf_system_save(system, in_folder("again"), &message) == TF_OK);
    tf_system_destroy(system);
    return 0;
}
