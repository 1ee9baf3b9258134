/* SPDX-License-Identifier: Apache-2.0 */
/* A stream agrees with those of other tiles on phases and on the space in buffers, and notes what it has to send. */
#ifndef TILE_MMIO_STREAMS_HANDSHAKE_H
#define TILE_MMIO_STREAMS_HANDSHAKE_H

#include "tile/mmio/streams/phase_state.h"

/* A phase begins, which receives, or transmits. */
void tf_handshake_receive(const struct acting *a);
void tf_handshake_transmit(const struct acting *a);

/* Why no phase can transmit so, or NULL. */
const char *tf_handshake_why_not(const struct acting *a);

/* Does nothing keep the phase from its end but messages? */
bool tf_handshake_ended(const struct acting *a);
void tf_handshake_end(const struct acting *a);

/* Lines of the receive buffer are free. */
void tf_handshake_free(const struct acting *a, uint32_t lines);

/* Stores to STREAM_DEST_PHASE_READY_UPDATE and STREAM_SRC_READY_UPDATE. */
enum tf_access tf_handshake_answered(const struct acting *a, uint32_t value);
enum tf_access tf_handshake_requested(const struct acting *a);

/* Note whether the stream has packets to send. */
void tf_handshake_note(const struct acting *a);

/* Does the stream transmit to memory? */
bool tf_handshake_is_dram(const struct acting *a);

/* The receivers of the stream. */
unsigned tf_handshake_receivers(const struct acting *a);

/* Find the rest of the first message. *lines becomes the number of its lines up to the buffer's end. */
uint32_t tf_handshake_rest(const struct acting *a, uint32_t *lines);

/* How many lines of the first message fit one packet? */
uint32_t tf_handshake_sendable(const struct acting *a);

/* The NOC on which a stream has something for its source, or for its destination; 2 if it has nothing. */
unsigned tf_handshake_noc_to_source(const struct acting *a);
unsigned tf_handshake_noc_to_destination(const struct acting *a);

#endif
