/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several chips in one library: tt-umd's BDF mode (TTSimCommunicator::initialize). A descriptor beside the library
 * makes tt-umd load it once, and take a PCI device of it for each chip with PCIe.
 */
#include "abi/several.h"
#include "abi/families.h"
#include "tilefarm/tilefarm_config.h"
#include "abi/debug.h"
#include "abi/report.h"
#include "abi/settings.h"
#include "system/processes/launch.h"
#include "system/lead.h"
#include "system/faults/link_faults.h"
#include "tilefarm/tilefarm_system_config.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define DESCRIPTOR "cluster_descriptor.yaml"

/* The path of the descriptor beside the library. NULL if there is none, or if this code is a part of the program. */
static char *descriptor_beside(void)
{
    Dl_info own, program;
    char *path = NULL;
    static const char here;
    if (dladdr(&here, &own) == 0 || own.dli_fname == NULL)
        return NULL;
    const void *headers = (const void *)getauxval(AT_PHDR); // NOLINT(performance-no-int-to-ptr): the kernel gives it
    if (dladdr(headers, &program) != 0 && program.dli_fbase == own.dli_fbase)
        return NULL;
    const char *slash = strrchr(own.dli_fname, '/');
    if (slash == NULL || asprintf(&path, "%.*s/" DESCRIPTOR, (int)(slash - own.dli_fname), own.dli_fname) < 0)
        return NULL;
    if (access(path, F_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static int read_descriptor(const char *path, struct tf_cluster *cluster, struct tf_message *message)
{
    size_t bytes;
    char *text = abi_read_file(path, &bytes);
    if (text == NULL) {
        snprintf(message->text, sizeof message->text, "it cannot be read, or is empty");
        return TF_EIO;
    }
    int error = tf_cluster_parse(text, bytes, cluster, message);
    free(text);
    return error;
}

/* A name, or a file: these have a dot or a slash in their names, as in the option --system. */
static int find(const char *name, struct tf_cluster *cluster, struct tf_message *message)
{
    int error = tf_cluster_find(name, cluster, message);
    return error != TF_OK && strpbrk(name, "./") != NULL ? read_descriptor(name, cluster, message) : error;
}

static const char *library_of(const char *family)
{
    static const struct {
        const char *family, *library;
    } libraries[] = {
#define X(family_, library_) {family_, library_},
        ABI_LIBRARIES
#undef X
    };
    for (unsigned i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        if (strcmp(libraries[i].family, family) == 0)
            return libraries[i].library;
    return "another one";
}

static int check_family(const struct abi *abi, const struct tf_cluster *cluster, struct tf_message *message)
{
    if (strcmp(cluster->arch->name, abi_family(abi)->arch) == 0)
        return TF_OK;
    snprintf(message->text, sizeof message->text, "its chips are not of this library's family, which is %s: load %s",
             tf_arch_find(abi_family(abi)->arch)->title, library_of(cluster->arch->name));
    return TF_EINVAL;
}

struct tf_cluster *abi_cluster(struct abi *abi)
{
    const char *name = getenv("TILEFARM_SYSTEM");
    const bool named = name != NULL && *name != '\0';
    char *beside = named ? NULL : descriptor_beside();
    if (!named && beside == NULL)
        return NULL;
    struct tf_message message = {"too little memory"};
    struct tf_cluster *cluster = malloc(sizeof *cluster);
    int error = cluster == NULL ? TF_ENOMEM
                : named         ? find(name, cluster, &message)
                                : read_descriptor(beside, cluster, &message);
    const bool single = error == TF_OK && !named && cluster->chips == 1;
    if (error == TF_OK && !single)
        error = check_family(abi, cluster, &message);
    if (error != TF_OK)
        abi_refuse(abi, "%s: %.40s: %.200s; one chip is used", named ? "TILEFARM_SYSTEM" : "beside the library",
                   named ? name : DESCRIPTOR, message.text);
    free(beside);
    if (error == TF_OK && !single)
        return cluster;
    free(cluster);
    return NULL;
}

static void on_chip(void *user, unsigned chip, struct tf_config *config)
{
    struct abi *abi = user;
    config->user = &abi->device[chip];
}

/* Read a number of links. Returns `otherwise` if it is not set, or bad. */
static uint32_t read_number(struct abi *abi, const char *name, uint32_t least, uint32_t most, uint32_t otherwise)
{
    const char *text = getenv(name);
    uint32_t value;
    if (text == NULL)
        return otherwise;
    if (abi_number(&text, least, most, &value) && *text == '\0')
        return value;
    abi_refuse(abi, "%s is not a number from %u to %u; the default is used", name, least, most);
    return otherwise;
}

/* Read faults of links. Returns a list of them to free, or NULL. */
static struct tf_link_fault *read_link_faults(struct abi *abi, struct tf_system_config *all)
{
    const char *text = getenv("TILEFARM_LINK_FAULT");
    struct tf_message message = {"too little memory"};
    if (text == NULL || *text == '\0')
        return NULL;
    struct tf_link_fault *fault = calloc(TF_LINK_FAULTS_MAX, sizeof *fault);
    all->link_fault = fault;
    int error = fault != NULL ? tf_link_fault_parse(all->cluster, text, fault, &all->link_faults, &message) : TF_ENOMEM;
    if (error == TF_OK)
        error = tf_link_faults_check(all->cluster, all->link_fault, all->link_faults, &message);
    if (error == TF_OK)
        return fault;
    all->link_faults = 0;
    abi_refuse(abi, "TILEFARM_LINK_FAULT: %.220s; there are none", message.text);
    return fault;
}

static void read_links(struct abi *abi, struct tf_system_config *all)
{
    const uint32_t least = all->chip.epoch_cycles_min,
                   usual = least > TF_LINK_LATENCY_CYCLES ? least : TF_LINK_LATENCY_CYCLES;
    all->link_latency_cycles = read_number(abi, "TILEFARM_LINK_LATENCY", least, TF_LINK_LATENCY_CYCLES_MOST, usual);
    all->link_gbps = read_number(abi, "TILEFARM_LINK_GBPS", 1, TF_LINK_GBPS_MOST, 0);
}

void abi_take_system(struct abi *abi, struct tf_system *system)
{
    const struct tf_cluster *cluster = tf_system_cluster(system);
    abi->system = system;
    for (unsigned i = 0; i < cluster->chips; i++) {
        abi->device[i].chip = tf_system_chip(system, i);
        abi->device[i].absent = !cluster->chip[i].pcie;
    }
}

int abi_create_system(struct abi *abi, const struct tf_config *config, const struct tf_cluster *cluster,
                      struct tf_message *message)
{
    struct tf_system_config all;
    tf_system_config_init(&all);
    all.cluster = cluster;
    all.chip = *config;
    read_links(abi, &all);
    struct tf_link_fault *fault = read_link_faults(abi, &all);
    all.on_chip = on_chip;
    all.user = abi;
    if (abi->lead != NULL)
        all.chip.threads = tf_launch_threads(abi->transport, all.chip.threads);
    int error = tf_system_create(&all, &abi->system, message);
    free(fault);
    if (error == TF_OK)
        abi_take_system(abi, abi->system);
    if (error == TF_OK && abi->lead != NULL)
        error = tf_lead_take(abi->lead, abi->system, message);
    return error;
}
