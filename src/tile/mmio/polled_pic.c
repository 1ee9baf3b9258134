/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interrupt controller of a family whose cores poll for IRQs. Source: WormholeB0/TensixTile/PIC.md. Phases of
 * streams, their blobs and the debug timestamper raise them.
 */
#include "tile/mmio/polled_pic.h"

#include "tile/state.h"
#include "tilefarm_address.h"

/* Register numbers: (address - TF_PIC_BASE) / 4. */
enum { STATUS, NEXT_IRQ, ENABLE, CLOCK_GATING, HYSTERESIS, STREAM_IRQ_TYPE };

#define ENABLE_MASK 0x7FFFFu
#define GATING_ENABLED 0x001u
#define FORCE_ACTIVE 0x100u
#define ACTIVE 0x10000u
#define HYSTERESIS_MASK 0x7Fu
#define HYSTERESIS_AT_FIRST 3u
#define PHASES 3u /* start and end */

void tf_polled_pic_raise(struct tf_tile *tile, unsigned irq)
{
    struct tf_polled_pic *pic = &tile->mmio.polled_pic;
    if (tf_map_find(tile->arch->map, TF_PIC_BASE) == TF_AT_POLLED_PIC)
        pic->pending |= pic->enabled & 1u << irq;
}

void tf_polled_pic_phase(struct tf_tile *tile, unsigned i, uint32_t event)
{
    if ((tile->mmio.polled_pic.stream_irq_type[i] & event) != 0)
        tf_polled_pic_raise(tile, i);
}

/* The pending IRQ whose turn is next, if there is one. */
static uint32_t in_turn(const struct tf_polled_pic *pic)
{
    uint32_t irq = pic->next % 32;
    while ((pic->pending >> irq & 1) == 0)
        irq = (irq + 1) % 32;
    return irq;
}

static bool next_irq_acts(const struct tf_polled_pic *pic)
{
    return pic->pending != 0 && (in_turn(pic) + 1) % 32 != pic->next;
}

static uint32_t next_irq(struct tf_polled_pic *pic)
{
    if (pic->pending == 0)
        return 0;
    uint32_t irq = in_turn(pic);
    pic->next = (irq + 1) % 32;
    return irq;
}

bool tf_polled_pic_load_acts(const struct tf_tile *tile, uint32_t address)
{
    return (address & 0xFFF) / 4 == NEXT_IRQ && next_irq_acts(&tile->mmio.polled_pic);
}

enum tf_access tf_polled_pic_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    struct tf_polled_pic *pic = &tile->mmio.polled_pic;
    unsigned index = (address & 0xFFF) / 4;
    (void)from;
    switch (index) {
    case STATUS: *value = pic->pending; break;
    case NEXT_IRQ:
        *pure = !next_irq_acts(pic);
        *value = next_irq(pic);
        break;
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
    (void)from;
    switch (index) {
    case STATUS: pic->pending &= ~value; break;
    case NEXT_IRQ: break;
    case ENABLE: pic->enabled = value & ENABLE_MASK; break;
    case CLOCK_GATING: /* the clock never stops, because events that the page does not list may keep it running */
        pic->gating = value & (GATING_ENABLED | FORCE_ACTIVE);
        break;
    case HYSTERESIS: pic->hysteresis = (value & HYSTERESIS_MASK) ^ HYSTERESIS_AT_FIRST; break;
    default: pic->stream_irq_type[index - STREAM_IRQ_TYPE] = value & PHASES;
    }
    return TF_ACCESS_OK;
}
