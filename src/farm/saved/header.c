/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning of a saved chip's file: which library can read it, and for which chip. */
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "farm/chip/chip.h"
#include "farm/saved/header.h"
#include "farm/saved/saved.h"
#include "tile/family/board.h"
#include "tile/riscv/hart/csr.h"
#include "tile/riscv/isa/decode.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/state.h"
#include "tilefarm/tilefarm_config.h"

/* Text that a transfer changes, as in a PNG: a high bit, both ends of lines, an end of a file. */
static const uint8_t magic[8] = {0x89, 'T', 'F', 'C', '\r', '\n', 0x1A, '\n'};

#define VERSION 12u /* of the list of fields */

/* The fields of a file are bytes of structs, so a library whose structs differ cannot read it. */
static uint64_t layout(void)
{
    const uint32_t sizes[] = {
        VERSION,
        sizeof(struct tf_tile),
        sizeof(struct tf_hart),
        sizeof(struct tf_park_notes),
        sizeof(struct tf_memo),
        sizeof(struct tf_mmio),
        sizeof(struct tf_tensix),
        sizeof(struct tf_tensix_thread),
        sizeof(struct tf_frontend),
        sizeof(struct tf_pack),
        sizeof(struct tf_niu),
        sizeof(struct tf_fault),
        sizeof(struct tf_epochs),
        sizeof(struct tf_noc_response),
        tf_rv_ids(),
        tf_csr_words(),
        0x04030201, /* the order of bytes */
    };
    return XXH3_64bits(sizes, sizeof sizes);
}

void tf_saved_describe(const struct tf_config *config, const struct tf_arch *arch, struct tf_saved_config *saved)
{
    memset(saved, 0, sizeof *saved);
    snprintf(saved->family, sizeof saved->family, "%s", arch->name);
    snprintf(saved->board.name, sizeof saved->board.name, "%s", arch->board.name);
    saved->board.product = arch->board.product;
    saved->board.columns_off = arch->board.columns_off;
    saved->board.rows_off = arch->board.rows_off;
    saved->board.banks_off = arch->board.banks_off;
    saved->board.eth_off = arch->board.eth_off;
    saved->board.cpus_off = arch->board.cpus_off;
#define TF_CONFIG_KEPT(field_) saved->field_ = (uint32_t)config->field_;
#include "farm/chip/config.def"
}

bool tf_saved_to_config(const struct tf_saved_config *saved, struct tf_config *config)
{
    char family[sizeof saved->family];
    snprintf(family, sizeof family, "%.*s", (int)sizeof family - 1, saved->family);
    const struct tf_arch *arch = tf_arch_find(family);
    if (arch == NULL || memchr(saved->board.name, '\0', sizeof saved->board.name) == NULL ||
        tf_board_why_bad(arch, &saved->board) != NULL)
        return false;
    config->arch = arch;
    config->board = saved->board;
#define TF_CONFIG_KEPT(field_) config->field_ = saved->field_;
#include "farm/chip/config.def"
    return true;
}

static uint64_t sum_of(const struct tf_saved_header *header)
{
    return XXH3_64bits(header, offsetof(struct tf_saved_header, checksum));
}

void tf_saved_header(const struct tf_saved_config *config, enum tf_saved_kind kind, uint64_t body_bytes,
                     struct tf_saved_header *header)
{
    memset(header, 0, sizeof *header);
    memcpy(header->magic, magic, sizeof magic);
    header->version = VERSION;
    header->header_bytes = sizeof *header;
    header->kind = kind;
    header->layout = layout();
    header->body_bytes = body_bytes;
    header->config = *config;
    header->checksum = sum_of(header);
}

const char *tf_saved_why_bad(const struct tf_saved_header *header, enum tf_saved_kind kind, size_t bytes)
{
    size_t known = bytes < sizeof magic ? bytes : sizeof magic;
    if (bytes == 0 || memcmp(header->magic, magic, known) != 0)
        return kind == TF_SAVED_CHIP ? "it is not a saved chip" : "it is not a saved system";
    if (bytes < offsetof(struct tf_saved_header, kind))
        return "it is truncated";
    if (header->version != VERSION || header->header_bytes != sizeof *header)
        return "another version of tilefarm saved it, or it is damaged";
    if (bytes < sizeof *header)
        return "it is truncated";
    if (header->checksum != sum_of(header))
        return "it is damaged: the checksum of its header is wrong";
    if (header->layout != layout())
        return "another version of tilefarm saved it";
    if (header->kind == kind)
        return NULL;
    return header->kind == TF_SAVED_SYSTEM ? "it is a saved system, not a chip" : "it is a saved chip, not a system";
}

/* One of the numbers that must be equal. */
struct number {
    const char *name;
    uint32_t saved, chip;
};

bool tf_saved_fits(const struct tf_saved_config *saved, const struct tf_saved_config *own, struct tf_message *message)
{
    const struct number numbers[] = {
        {"columns_off", saved->board.columns_off, own->board.columns_off},
        {"rows_off", saved->board.rows_off, own->board.rows_off},
        {"banks_off", saved->board.banks_off, own->board.banks_off},
        {"eth_off", saved->board.eth_off, own->board.eth_off},
        {"cpus_off", saved->board.cpus_off, own->board.cpus_off},
        {"product", saved->board.product, own->board.product},
#define TF_CONFIG_KEPT(field_) {#field_, saved->field_, own->field_},
#include "farm/chip/config.def"
    };
    if (strncmp(saved->family, own->family, sizeof own->family) != 0) {
        snprintf(message->text, sizeof message->text, "the saved chip is of family %.16s, and this one of %.16s",
                 saved->family, own->family);
        return false;
    }
    if (strncmp(saved->board.name, own->board.name, sizeof own->board.name) != 0) {
        snprintf(message->text, sizeof message->text, "the saved chip is on board %.12s, and this one on %.12s",
                 saved->board.name, own->board.name);
        return false;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].saved != numbers[i].chip) {
            snprintf(message->text, sizeof message->text, "the saved chip has %s %u, and this one has %u",
                     numbers[i].name, numbers[i].saved, numbers[i].chip);
            return false;
        }
    return true;
}
