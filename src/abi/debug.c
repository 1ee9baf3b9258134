/* SPDX-License-Identifier: Apache-2.0 */
/* A debugger and symbols for clients' chips (TILEFARM_GDB, TILEFARM_SYMBOLS), and the texts that programs print. */
#include "abi/debug.h"
#include "abi/fetch.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "abi/abi.h"
#include "abi/past.h"
#include "abi/report.h"
#include "debug/gdb/gdb.h"
#include "system/system.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_config.h"

#define FILE_BYTES_MAX (256L << 20)

void *abi_read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rbe");
    long size = file == NULL || fseek(file, 0, SEEK_END) != 0 ? -1 : ftell(file);
    void *image = size <= 0 || size > FILE_BYTES_MAX || fseek(file, 0, SEEK_SET) != 0 ? NULL : malloc((size_t)size);
    *bytes = image == NULL ? 0 : fread(image, 1, (size_t)size, file);
    if (file != NULL)
        fclose(file);
    return image;
}

/* Read B+T0 as bits of enum tf_core. Returns 0 if a name is no core. */
static unsigned read_cores(const struct tf_arch *arch, char *text)
{
    unsigned cores = 0;
    for (char *rest = NULL, *name = strtok_r(text, "+", &rest); name != NULL; name = strtok_r(NULL, "+", &rest)) {
        unsigned core = 0;
        while (core < arch->tile[TF_TILE_TENSIX].cores && strcmp(name, tf_tensix_core_name(core)) != 0)
            core++;
        if (core == arch->tile[TF_TILE_TENSIX].cores)
            return 0;
        cores |= 1u << core;
    }
    return cores;
}

#define FOLDERS_DEEP 8u
#define FILES_MAX 4096u

/* Add the programs of a folder and of its subfolders. Other files are skipped. Returns how many were added. */
static unsigned add_folder(struct abi *abi, const char *path, unsigned deep)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    unsigned count = 0;
    while (folder != NULL && (entry = readdir(folder)) != NULL && count < FILES_MAX) {
        char name[PATH_MAX];
        struct stat about;
        size_t bytes;
        if (entry->d_name[0] == '.' || snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name ||
            lstat(name, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode) && deep < FOLDERS_DEEP)
            count += add_folder(abi, name, deep + 1);
        if (!S_ISREG(about.st_mode))
            continue;
        void *image = abi_read_file(name, &bytes);
        count += image != NULL && tf_symbols_add_unplaced(abi->symbols, image, bytes);
        free(image);
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Read FILE[@CORES], or a folder of files. */
static void add_symbols(struct abi *abi, char *name)
{
    char *at = strrchr(name, '@');
    const struct tf_arch *arch = tf_chip_arch(abi->chip);
    unsigned cores = (1u << arch->tile[TF_TILE_TENSIX].cores) - 1;
    size_t bytes;
    if (is_folder(name)) {
        if (add_folder(abi, name, 0) == 0)
            abi_refuse(abi, "TILEFARM_SYMBOLS: %.100s: this folder has no program (*.elf)", name);
        return;
    }
    if (at != NULL) {
        *at = '\0';
        cores = read_cores(arch, at + 1);
    }
    void *image = abi_read_file(name, &bytes);
    if (cores == 0 || image == NULL || !tf_symbols_add(abi->symbols, image, bytes, cores, NULL))
        abi_refuse(abi, "TILEFARM_SYMBOLS: %.100s: %s", name,
                   cores == 0      ? "no such core (names such as B and T0, joined by +)"
                   : image == NULL ? "cannot be read"
                                   : "has no symbols");
    free(image);
}

static void print(void *user, const struct tf_print_event *event)
{
    const struct abi_device *device = user;
    if (device->printed != NULL)
        tf_printed_take(device->printed, tf_chip_arch(device->chip), event);
}

/* The debugger sees requests at the places where they act. */
static void see_request(void *user, const struct tf_noc_event *event)
{
    (void)user;
    (void)event;
}

static void leave_checkpoint(void *user, uint64_t cycle)
{
    const struct abi_device *device = user;
    (void)cycle;
    if (device->abi->gdb != NULL)
        tf_gdb_epoch(device->abi->gdb, device->number);
}

void abi_debug_configure(struct abi *abi, struct tf_config *config)
{
    struct tf_message message;
    char of_chip[ABI_OF_CHIP_BYTES];
    for (uint32_t i = 0; i < abi->devices; i++) {
        struct abi_device *device = &abi->device[i];
        device->printed = tf_printed_create(stderr);
        tf_printed_name_chip(device->printed, abi_of_chip(device, " ", " ", of_chip));
    }
    config->on_print = print;
    const char *text = getenv("TILEFARM_GDB");
    if (text == NULL || *text == '\0')
        return;
    if (abi->lead != NULL) {
        abi_refuse(abi, "TILEFARM_GDB: a debugger needs all chips in this process, and TILEFARM_SPREAD lets others run "
                        "some; none is waited for");
        return;
    }
    abi->gdb = tf_gdb_open(text, &message);
    if (abi->gdb == NULL)
        abi_refuse(abi, "TILEFARM_GDB: %.150s", message.text);
    else {
        tf_gdb_configure(config);
        config->on_noc = see_request;
        config->on_epoch = leave_checkpoint;
    }
}

/* As tf_gdb_driver.stop and .save. */
static void stop(void *user, bool stops)
{
    if (stops)
        tf_system_stop(user);
    else
        tf_system_go_on(user);
}

static int save(void *user, const char *path, struct tf_message *message)
{
    return tf_system_save(user, path, message);
}

void abi_debug_begin(struct abi *abi)
{
    const char *text = getenv("TILEFARM_SYMBOLS");
    char *names = text == NULL || *text == '\0' ? NULL : strdup(text);
    if (names != NULL)
        abi->symbols = tf_symbols_create();
    for (char *rest = NULL, *name = abi->symbols == NULL ? NULL : strtok_r(names, ":", &rest); name != NULL;
         name = strtok_r(NULL, ":", &rest))
        add_symbols(abi, name);
    free(names);
    if (abi->gdb == NULL)
        return;
    const struct tf_gdb_driver driver = {.stop = stop, .save = save, .user = abi->system};
    if (abi->system != NULL)
        tf_gdb_drive(abi->gdb, &driver);
    for (uint32_t i = 0; i < abi->devices; i++)
        tf_gdb_attach(abi->gdb, abi->device[i].chip, abi->symbols);
    fprintf(stderr, "tilefarm: waiting for GDB at port %u\n", tf_gdb_port(abi->gdb));
    tf_gdb_begin(abi->gdb);
}

void abi_debug_end(struct abi *abi)
{
    tf_gdb_close(abi->gdb);
    tf_symbols_destroy(abi->symbols);
    for (uint32_t i = 0; i < abi->devices; i++) {
        tf_printed_end(abi->device[i].printed);
        abi->device[i].printed = NULL;
    }
    abi->gdb = NULL;
    abi->symbols = NULL;
}

void abi_print_line(void *user, const char *line)
{
    const struct abi_device *device = user;
    char of_chip[ABI_OF_CHIP_BYTES];
    fprintf(stderr, "tilefarm: %s%s\n", device != NULL ? abi_of_chip(device, " ", ": ", of_chip) : "", line);
}

void abi_debug_fault(const struct abi_device *device, const struct tf_fault *fault)
{
    struct tf_symbols *symbols = device->abi->symbols;
    char advice[TF_PLACE_BYTES];
    int tile = symbols == NULL || fault->core == TF_CORE_NONE
                   ? -1
                   : tf_symbols_tile(tf_chip_arch(device->chip), fault->tile);
    if (tile < 0)
        return;
    abi_fetch(device->abi, device->number);
    tf_symbols_match(symbols, device->chip);
    tf_stack_diagnose(device->chip, symbols, fault, advice);
    if (advice[0] != '\0')
        fprintf(stderr, "tilefarm:   %s\n", advice);
    tf_stack_print(device->chip, symbols, (unsigned)tile, fault->core, abi_print_line, (void *)(uintptr_t)device);
}

void abi_debug_stopped(struct abi *abi)
{
    if (abi->symbols != NULL && !abi_past_plays(abi)) {
        abi_fetch_all(abi);
        for (uint32_t i = 0; i < abi->devices; i++)
            tf_stacks_print(abi->device[i].chip, abi->symbols, true, abi_print_line, &abi->device[i]);
    }
}
