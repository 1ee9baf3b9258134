/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chip as a part of a system, which decides when the chip runs and what arrives at its Ethernet tiles. One thread at
 * a time. Deterministic mode only.
 */
#ifndef FARM_RUN_PART_H
#define FARM_RUN_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm/tilefarm_chip.h"

struct tf_chip;
struct tf_eth_packet;
struct tf_saved;
struct tf_tile;

/* The chip belongs to a system: from now on tf_run() refuses it, and on_fault is called by tf_part_tell(). Returns
   false if the host has no memory. */
bool tf_part_join(struct tf_chip *chip);

/* The chip has this number in the system. */
void tf_part_number(struct tf_chip *chip, unsigned number);

/* Call on_fault for the faults since the last call. */
void tf_part_tell(struct tf_chip *chip);

/* The Ethernet tile of a port. NULL: there is none. It stays where it is until tf_part_replace(). */
struct tf_tile *tf_part_port(struct tf_chip *chip, unsigned port);

/* Give a chip the state of a new one that has read a saved state: tf_chip_replace(). After that the other chip can only
   be destroyed, and the Ethernet tiles of this one are elsewhere. */
void tf_part_replace(struct tf_chip *chip, struct tf_chip *other);

/* Before the first and after the last epoch of a run of the system. TF_OK, TF_ENOMEM. */
int tf_part_begin(struct tf_chip *chip);
int tf_part_end(struct tf_chip *chip, enum tf_end why);

/* The chip's next tick. Is a site active in it? */
uint64_t tf_part_tick(const struct tf_chip *chip);
bool tf_part_active(const struct tf_chip *chip);

/* The first tick of a chip that begins at or past a cycle. */
uint64_t tf_part_tick_from(const struct tf_chip *chip, uint64_t cycle);

/* An Ethernet tile has a link. */
void tf_part_link(struct tf_chip *chip, const struct tf_tile *tile);

/* The tick up to which the chip has sent requests to its NOCs, or a tile with a link has been active. */
uint64_t tf_part_stirred(const struct tf_chip *chip);

/* How long the chip's next epoch is if nothing shortens it, in ticks. */
uint64_t tf_part_epoch_ticks(const struct tf_chip *chip);

/* Requests to tiles with a link act at this tick, and not before. None of these tiles is active now. An epoch that
   begins before it ends early, or with the window. 0: there is no such tick. */
void tf_part_hold(struct tf_chip *chip, uint64_t tick);

/* Run epochs before a tick. options: a word to wait for, or NULL. TF_END_CYCLES: the tick is reached. TF_END_QUIET: no
   site is active any more. TF_END_VALUE, TF_END_FAULT, TF_END_STOPPED. */
enum tf_end tf_part_run(struct tf_chip *chip, const struct tf_run_options *options, uint64_t tick);

/* Let time pass up to a tick, on a chip without an active site. */
void tf_part_pass(struct tf_chip *chip, uint64_t tick);

/* A packet arrives now at an Ethernet tile of the chip, which keeps or frees it. */
void tf_part_receive(struct tf_chip *chip, struct tf_tile *tile, struct tf_eth_packet *packet);

/* If the chip has a race checker, let it follow the packets of an Ethernet tile's link. out, in: its port, and that of
   the other end, as 16 * chip + port. Returns false if the host has no memory. */
bool tf_part_follow(struct tf_chip *chip, const struct tf_tile *tile, unsigned out, unsigned in);

/* Between windows: if chips have race checkers, bring to the other end what packets know that were sent. */
void tf_part_carry(struct tf_chip *from, const struct tf_tile *sender, struct tf_chip *to,
                   const struct tf_tile *receiver);

/* The same between processes: write it at the sender's, and read it at the receiver's (host/saved.h). */
void tf_part_give(struct tf_chip *from, const struct tf_tile *sender, struct tf_saved *letter);
void tf_part_take(struct tf_chip *to, const struct tf_tile *receiver, struct tf_saved *letter);

/* The time of tf_eth_due() has come for an Ethernet tile of the chip. */
void tf_part_act(struct tf_chip *chip, struct tf_tile *tile);

#endif
