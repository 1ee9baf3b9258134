/* SPDX-License-Identifier: Apache-2.0 */
/* The host's accesses to a chip through a NOC. */
#ifndef FARM_ACCESS_H
#define FARM_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm/tilefarm_chip.h"

struct tf_chip;
struct tf_eth_access;

/* tf_core_view() without the state of the coprocessor's thread, whose memory nothing may have touched yet (row
   `startup`). */
int tf_core_look(struct tf_chip *chip, unsigned tile, enum tf_core core, struct tf_core_view *view);

/*
 * Like tf_read() and tf_write(), at a node by its number, through NOC 0 or 1. A range of a Tensix tile's registers is
 * split into accesses of 4 bytes. *why is the reason if the result is not TF_OK. TF_ERANGE, TF_EACCESS, TF_ENOMEM.
 * Between runs only.
 */
int tf_host_read(struct tf_chip *chip, unsigned node, unsigned noc, uint64_t address, void *data, size_t bytes,
                 const char **why);
int tf_host_write(struct tf_chip *chip, unsigned node, unsigned noc, uint64_t address, const void *data, size_t bytes,
                  const char **why);

/* An access that firmware of this chip's Ethernet tile at a node makes (noc/whole/eth_service.h). Returns false if
   nothing is there. Between runs only. */
bool tf_firmware_access(struct tf_chip *chip, unsigned eth, const struct tf_eth_access *access);

/* The tf_eth_routes.reach of a chip alone, which is at (0,0) of rack (0,0). user: the chip. */
bool tf_firmware_reaches(void *user, const struct tf_eth_access *access);
bool tf_firmware_place(void *user, unsigned index, uint64_t *target, uint16_t *rack); /* tf_eth_routes.place */

#endif
