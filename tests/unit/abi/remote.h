/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes of chips without PCIe, through the firmware of an Ethernet tile of Wormhole:
   RemoteCommunicationLegacyFirmware of tt-umd, with the constants of erisc_firmware.hpp. */
#ifndef REMOTE_H
#define REMOTE_H

#include "several.h"

#include <stdbool.h>

#define SQ 0x11080u
#define SQ_ENTRIES (SQ + 0x40)
#define CQ 0x11200u
#define CQ_ENTRIES (CQ + 0x40)
#define BUFFERS 0x12000u
#define ENTRY_BYTES 32u
#define BLOCK_BYTES 1024u

#define WR_REQ (1u << 0)
#define RD_REQ (1u << 2)
#define RD_DATA (1u << 3)
#define BLOCK_DRAM (1u << 4)
#define BLOCK (1u << 6)
#define BROADCAST (1u << 7)
#define UNREACHABLE (1u << 31)

#define HOST_FIRST 0x38000000ull
#define HOST_BLOCK_BYTES 0x8000u
#define HOST_BYTES (64 * HOST_BLOCK_BYTES)

static uint8_t host[HOST_BYTES]; /* from HOST_FIRST of a chip's host memory on */

/* An Ethernet tile of a device, and whether there is host memory for blocks. */
struct gateway {
    unsigned device, x, y;
    bool has_host;
};

struct command {
    uint64_t target;
    uint32_t data, flags;
    uint16_t rack, reserved[5];
    uint32_t host;
};

static inline uint32_t word(const struct gateway *by, uint32_t address)
{
    return get32(on(by->device), by->x, by->y, address);
}

static inline uint64_t target_of(const struct tf_cluster_chip *chip, unsigned x, unsigned y, uint64_t address)
{
    return address | (uint64_t)x << 36 | (uint64_t)y << 42 | (uint64_t)chip->x << 48 | (uint64_t)chip->y << 54;
}

/* Put a command into the queue. The queue has room, since firmware here serves at once. */
static inline void submit(const struct gateway *by, const struct command *command)
{
    const uint32_t written = word(by, SQ + 0x20);
    assert_int_equal(written, word(by, SQ + 0x30));
    put(on(by->device), by->x, by->y, SQ_ENTRIES + ENTRY_BYTES * (written & 3), command, sizeof *command);
    put32(on(by->device), by->x, by->y, SQ + 0x20, (written + 1) & 7);
}

static inline uint32_t length_of(uint64_t address, uint32_t left, uint32_t most)
{
    return address % 32 != 0 ? 4 : left < most ? left : most;
}

/* write_to_non_mmio() */
static inline void remote_write(const struct gateway *by, const struct tf_cluster_chip *chip, unsigned x, unsigned y,
                                uint64_t address, const void *data, uint32_t bytes)
{
    const bool through_host = bytes > BLOCK_BYTES && by->has_host;
    const uint32_t most = through_host ? HOST_BLOCK_BYTES : BLOCK_BYTES;
    for (uint32_t done = 0, length; done < bytes; done += length) {
        const uint8_t *from = (const uint8_t *)data + done;
        const uint32_t slot = word(by, SQ + 0x20) & 3;
        length = length_of(address + done, bytes - done, most);
        struct command command = {.target = target_of(chip, x, y, address + done),
                                  .data = length,
                                  .flags = WR_REQ | (length > 4 ? BLOCK : 0),
                                  .rack = (uint16_t)(chip->rack | chip->shelf << 8)};
        if (length <= 4) {
            memcpy(&command.data, from, 4);
        } else if (through_host) {
            command.flags |= BLOCK_DRAM;
            command.host = (uint32_t)HOST_FIRST + slot * HOST_BLOCK_BYTES;
            memcpy(host + slot * HOST_BLOCK_BYTES, from, length);
        } else {
            put(on(by->device), by->x, by->y, BUFFERS + slot * BLOCK_BYTES, from, length);
        }
        submit(by, &command);
    }
    /* wait_for_non_mmio_flush() */
    assert_int_equal(word(by, SQ + 0x20), word(by, SQ + 0x30));
    assert_int_equal(word(by, SQ + 0x0), word(by, SQ + 0x4));
}

/* read_non_mmio(). Returns false after an answer with other flags than expected. */
static inline bool remote_read(const struct gateway *by, const struct tf_cluster_chip *chip, unsigned x, unsigned y,
                               uint64_t address, void *data, uint32_t bytes)
{
    const bool through_host = bytes > BLOCK_BYTES && by->has_host;
    const uint32_t most = through_host ? HOST_BLOCK_BYTES : BLOCK_BYTES;
    for (uint32_t done = 0, length; done < bytes; done += length) {
        uint8_t *to = (uint8_t *)data + done;
        const uint32_t taken = word(by, CQ + 0x30), slot = taken & 3;
        length = length_of(address + done, bytes - done, most);
        const uint32_t kind = length <= 4 ? 0 : through_host ? BLOCK | BLOCK_DRAM : BLOCK;
        submit(by, &(struct command){.target = target_of(chip, x, y, address + done),
                                     .data = length,
                                     .flags = RD_REQ | kind,
                                     .rack = (uint16_t)(chip->rack | chip->shelf << 8),
                                     .host = (uint32_t)HOST_FIRST + slot * HOST_BLOCK_BYTES});
        assert_int_not_equal(word(by, CQ + 0x20), taken);
        const uint32_t flags = word(by, CQ_ENTRIES + ENTRY_BYTES * slot + 12);
        if (length <= 4)
            get(on(by->device), by->x, by->y, CQ_ENTRIES + ENTRY_BYTES * slot + 8, to, length);
        else if (through_host)
            memcpy(to, host + slot * HOST_BLOCK_BYTES, length);
        else
            get(on(by->device), by->x, by->y, BUFFERS + slot * BLOCK_BYTES, to, length);
        put32(on(by->device), by->x, by->y, CQ + 0x30, (taken + 1) & 7);
        if (flags != (RD_DATA | kind))
            return false;
    }
    return true;
}

#endif
