/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For programs on the cores of Ethernet tiles: the link to another chip. Sources: EthernetTxRx.md of both families.
 * Packets go from TX queue q of one tile to RX queue q of its peer. `queue` is 0 or 1; on Wormhole only queue 0 stores
 * to registers. Addresses and lengths of data are multiples of 16. Functions that wait have no time limit.
 */
#ifndef TILEFARM_LINK_H
#define TILEFARM_LINK_H

#include "tilefarm_device.h"

#define TF_TXQ(queue, reg) (TF_ETH_LINK_BASE + 0x1000u * (queue) + (reg))

enum tf_txq_register {
    TF_TXQ_CMD = 0x04,
    TF_TXQ_STATUS = 0x08,
    TF_TXQ_MAX_PACKET = 0x0C,
    TF_TXQ_FROM = 0x14,
    TF_TXQ_BYTES = 0x18,
    TF_TXQ_TO = 0x1C,
    TF_TXQ_REGISTER_DATA = 0x44,
};

enum tf_txq_command {
    TF_TXQ_RAW = 1,
    TF_TXQ_WRITE = 2,
    TF_TXQ_STORE = 4,
};

/* Registers of RX queues follow those of the TX queues, with room for as many as the family has. */
#ifdef TF_K_TXQ_ONGOING
#define TF_RXQ_CTRL(queue) (TF_ETH_LINK_BASE + 0x4000u + 0x1000u * (queue))
#else
#define TF_RXQ_CTRL(queue) (TF_ETH_LINK_BASE + 0x2000u + 0x1000u * (queue))
#endif
#define TF_RXQ_PACKET_MODE 2u

/*
 * Let RX queue `queue` take what tf_link_write() and others send. Both ends call it before they use queue 1: firmware
 * has done so for queue 0 alone ("Associating TX queues with RX queues"). What comes before is dropped, and sent again
 * after the sender's time-out.
 */
static inline void tf_link_open(unsigned queue)
{
    TF_WORD(TF_RXQ_CTRL(queue)) |= TF_RXQ_PACKET_MODE;
    tf_settle(TF_RXQ_CTRL(queue));
}

/* Has the queue taken the last command? */
static inline bool tf_link_ready(unsigned queue)
{
#ifdef TF_K_TXQ_ONGOING
    (void)TF_WORD(TF_TXQ(queue, TF_TXQ_CMD)); /* behind the store of the command */
    return (TF_WORD(TF_TXQ(queue, TF_TXQ_STATUS)) & TF_K_TXQ_ONGOING) == 0;
#else
    return TF_WORD(TF_TXQ(queue, TF_TXQ_CMD)) == 0;
#endif
}

/* Wait until the queue has taken the last command. */
static inline void tf_link_wait_ready(unsigned queue)
{
    while (!tf_link_ready(queue))
        ;
}

/* Copy from this tile's L1 to that of the peer. The source must stay as it is until the peer has answered that it has
   the data, since hardware may send them again. */
static inline void tf_link_write(unsigned queue, uint32_t to, uint32_t from, uint32_t bytes)
{
    tf_link_wait_ready(queue);
    TF_WORD(TF_TXQ(queue, TF_TXQ_FROM)) = from;
    TF_WORD(TF_TXQ(queue, TF_TXQ_BYTES)) = bytes;
    TF_WORD(TF_TXQ(queue, TF_TXQ_TO)) = to;
    TF_WORD(TF_TXQ(queue, TF_TXQ_CMD)) = TF_TXQ_WRITE;
}

/* Store a word to a register of the peer, such as one of its overlay streams. */
static inline void tf_link_store(unsigned queue, uint32_t address, uint32_t value)
{
    tf_link_wait_ready(queue);
    TF_WORD(TF_TXQ(queue, TF_TXQ_TO)) = address;
    TF_WORD(TF_TXQ(queue, TF_TXQ_REGISTER_DATA)) = value;
    TF_WORD(TF_TXQ(queue, TF_TXQ_CMD)) = TF_TXQ_STORE;
}

/*
 * Signals: a number that tells the peer all data which tf_link_write() has sent before on this queue are in its L1. A
 * receiver writes the first 32 bytes of a packet by stream 0, and the next 16 by stream 1. Each stream is in order, the
 * two are not ("RX Queue Memory Ordering"). So a signal has its number in both parts.
 *
 * Hardware may send a signal again, and reads it again then. So each of the last signals has its own bytes: a queue
 * takes no command while so many packets are not acknowledged.
 */
#define TF_LINK_SIGNAL_BYTES 48u
#define TF_LINK_SIGNALS 128u
#define TF_LINK_SIGNALS_BYTES (TF_LINK_SIGNALS * TF_LINK_SIGNAL_BYTES)

/* to: TF_LINK_SIGNAL_BYTES of the peer's L1. from: TF_LINK_SIGNALS_BYTES of this tile's, for this signal alone. number:
   one more than that of the signal before. */
static inline void tf_link_signal(unsigned queue, uint32_t to, uint32_t from, uint32_t number)
{
    from += number % TF_LINK_SIGNALS * TF_LINK_SIGNAL_BYTES;
    tf_link_wait_ready(queue);
    TF_WORD(from) = number;
    TF_WORD(from + 32) = number;
    tf_settle(from + 32);
    tf_link_write(queue, to, from, TF_LINK_SIGNAL_BYTES);
}

/* Has a signal arrived, or one with a higher number? */
static inline bool tf_link_signalled(uint32_t signal, uint32_t number)
{
    tf_fence();
    return (int32_t)(TF_WORD(signal) - number) >= 0 && (int32_t)(TF_WORD(signal + 32) - number) >= 0;
}

/* Wait until a signal has arrived, or one with a higher number. */
static inline void tf_link_wait(uint32_t signal, uint32_t number)
{
    while (!tf_link_signalled(signal, number))
        ;
    tf_fence();
}

#endif
