/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libttsim_ext.h, by which a client queries the library. */
#include "tilefarm/libttsim_ext.h"

#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/families.h"
#include "abi/libttsim.h"
#include "abi/settings.h"
#include "farm/chip/version.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT uint32_t libttsim_ext_version(void)
{
    return LIBTTSIM_EXT_VERSION;
}

EXPORT const char *libttsim_ext_library(void)
{
    return tf_version_title();
}

EXPORT uint32_t libttsim_ext_has(const char *capability)
{
    static const char *const names[] = {
        "threads",         "fault-report", "init-after-exit", "noc1-windows", "tile-access",
        "debug-interface", "harvesting",   "soc-descriptor",  "multichip",    "ethernet-links",
    };
    if (capability != NULL && strcmp(capability, abi_family(abi_state())->arch) == 0)
        return 1;
    for (unsigned i = 0; capability != NULL && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], capability) == 0)
            return 1;
    return 0;
}

EXPORT uint32_t libttsim_ext_last_error(char *text, uint32_t bytes, uint64_t *count)
{
    const struct abi *abi = abi_state();
    size_t length = strlen(abi->error);
    if (count != NULL)
        *count = abi->errors;
    if (text != NULL && bytes != 0) {
        size_t written = length < bytes ? length : bytes - 1;
        memcpy(text, abi->error, written);
        text[written] = '\0';
    }
    return (uint32_t)length;
}

static uint32_t describe(size_t (*say)(const struct tf_arch *arch, char *text, size_t bytes), char *text,
                         uint32_t bytes)
{
    struct tf_variant *variant = NULL;
    const struct tf_arch *arch = tf_arch_find(abi_family(abi_state())->arch);
    struct tf_board board;
    if (abi_chip() != NULL) {
        arch = tf_chip_arch(abi_chip());
    } else if (abi_board_setting(abi_state(), &board, NULL) == TF_OK && !tf_board_is_default(arch, &board)) {
        variant = malloc(sizeof *variant);
        if (variant == NULL)
            return 0;
        tf_variant_make(arch, &board, variant);
        arch = &variant->arch;
    }
    uint32_t length = (uint32_t)say(arch, text, text != NULL ? bytes : 0);
    free(variant);
    return length;
}

EXPORT uint32_t libttsim_ext_soc_descriptor(char *text, uint32_t bytes)
{
    return describe(tf_describe_soc, text, bytes);
}

EXPORT uint32_t libttsim_ext_cluster_descriptor(char *text, uint32_t bytes)
{
    const struct tf_system *system = abi_state()->system;
    if (system != NULL)
        return (uint32_t)tf_describe_system(tf_system_cluster(system), text, text != NULL ? bytes : 0);
    return describe(tf_describe_cluster, text, bytes);
}
