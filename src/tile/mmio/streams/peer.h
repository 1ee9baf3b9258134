/* SPDX-License-Identifier: Apache-2.0 */
/* Streams that transmit to streams of other tiles and to DRAM, and that receive from streams. */
#ifndef TILE_MMIO_STREAMS_PEER_H
#define TILE_MMIO_STREAMS_PEER_H

#include <stdbool.h>
#include <stdint.h>

struct tf_stream_packet;
struct tf_tile;

/* Has each stream of mmio.stream_sends something to send on that NOC? A saved chip may be damaged. */
bool tf_stream_sends_fit(struct tf_tile *tile);

/* The next packet that a stream from `first` on has for a NOC. Returns false if there is none. */
bool tf_stream_next_packet(struct tf_tile *tile, unsigned noc, unsigned first, struct tf_stream_packet *packet);

/* That packet has been sent, and its data have been read. Returns false if a stream has done something undefined;
   tf_mmio_why() says what. */
bool tf_stream_sent(struct tf_tile *tile, const struct tf_stream_packet *packet);

/* That packet cannot be sent: the stream stops. */
void tf_stream_stop(struct tf_tile *tile, const struct tf_stream_packet *packet);

/* Data for a stream have arrived. tag: NOC_PACKET_TAG. Returns false as above. */
bool tf_stream_receive(struct tf_tile *tile, uint32_t tag, uint32_t bytes);

#endif
