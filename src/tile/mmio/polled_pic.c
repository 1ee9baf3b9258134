/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interrupt controller of a family whose cores poll for IRQs. Source: WormholeB0/TensixTile/PIC.md. What would
 * raise an IRQ does not exist here: phases of streams, blobs, the debug timestamper. So none is ever pending.
 */
#include "tile/mmio/parts.h"

/* Register numbers: (address - 0xFFB13000) / 4. */
enum { STATUS, NEXT_IRQ, ENABLE, CLOCK_GATING, HYSTERESIS, STREAM_IRQ_TYPE };

#define ENABLE_MASK 0x7FFFFu
#define GATING_ENABLED 0x001u
#define FORCE_ACTIVE 0x100u
#define ACTIVE 0x10000u
#define HYSTERESIS_MASK 0x7Fu
#define HYSTERESIS_AT_FIRST 3u
#define PHASES 3u /* start, end */

enum tf_access tf_polled_pic_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    const struct tf_polled_pic *pic = &tile->mmio.polled_pic;
    unsigned index = (address & 0xFFF) / 4;
    (void)from;
    (void)pure;
    switch (index) {
    case STATUS:
    case NEXT_IRQ: *value = 0; break;
    case ENABLE: *value = pic->enabled; break;
    case CLOCK_GATING: *value = pic->gating | ACTIVE; break;
    case HYSTERESIS: *value = pic->hysteresis ^ HYSTERESIS_AT_FIRST; break;
    default: *value = pic->stream_irq_type[index - STREAM_IRQ_TYPE];
    }
    return TF_ACCESS_OK;
}

enum tf_access tf_polled_pic_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    struct tf_polled_pic *pic = &tile->mmio.polled_pic;
    unsigned index = (address & 0xFFF) / 4;
    switch (index) {
    case STATUS:
    case NEXT_IRQ: break; /* what is not pending is cleared without effect */
    case ENABLE: pic->enabled = value & ENABLE_MASK; break;
    case CLOCK_GATING:
        if ((value & (GATING_ENABLED | FORCE_ACTIVE)) == GATING_ENABLED)
            return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address,
                                 "this would stop NC's clock until an IRQ that is not implemented");
        pic->gating = value & (GATING_ENABLED | FORCE_ACTIVE);
        break;
    case HYSTERESIS: pic->hysteresis = (value & HYSTERESIS_MASK) ^ HYSTERESIS_AT_FIRST; break;
    default: pic->stream_irq_type[index - STREAM_IRQ_TYPE] = value & PHASES;
    }
    return TF_ACCESS_OK;
}
