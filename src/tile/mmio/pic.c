/* SPDX-License-Identifier: Apache-2.0 */
/* The interrupt controller. Source: BlackholeA0/TensixTile/PIC.md. */
#include "tile/mmio/pic.h"

#include "tile/mmio/clock.h"
#include "tile/state.h"

/* Register numbers: (address - TF_PIC_BASE) / 4. */
enum {
    BRISC_SW_INT_EN = TF_PIC_BRISC_SW_INT_EN / 4,
    BRISC_HW_INT_EN = TF_PIC_BRISC_HW_INT_EN / 4,
    BRISC_INT_NO = TF_PIC_BRISC_INT_NO / 4,
    NCRISC_SW_INT_EN = TF_PIC_NCRISC_SW_INT_EN / 4,
    NCRISC_HW_INT_EN = TF_PIC_NCRISC_HW_INT_EN / 4,
    NCRISC_INT_NO = TF_PIC_NCRISC_INT_NO / 4,
    SW_INT = TF_PIC_SW_INT / 4,
    HW_INT = TF_PIC_HW_INT / 4,
    INT_PC = TF_PIC_SW_INT_PC / 4, /* 32 software IRQs, then 4 hardware IRQs */
    REGISTERS = TF_PIC_BYTES / 4,
};

#define HW_MASK ((1u << TF_HW_IRQS) - 1)
#define HW_WATCHDOG 3

static uint32_t hw_raised(const struct tf_tile *tile)
{
    uint32_t lines = __atomic_load_n(&tile->irq_lines, __ATOMIC_ACQUIRE); /* relaxed mode: other workers raise them */
    return (lines | (uint32_t)tf_watchdog_line(tile) << HW_WATCHDOG) & HW_MASK;
}

/* Reading a raised software IRQ clears it. */
static uint32_t take_sw(struct tf_pic *pic, unsigned irq)
{
    uint32_t value = pic->sw_value[irq];
    pic->sw_value[irq] = 0;
    pic->sw_raised &= ~(1u << irq);
    return value;
}

bool tf_pic_load_acts(const struct tf_tile *tile, uint32_t address)
{
    unsigned index = (address & 0xFFF) / 4;
    return index >= SW_INT && index < HW_INT && tile->mmio.pic.sw_value[index - SW_INT] != 0;
}

enum tf_access tf_pic_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    struct tf_pic *pic = &tile->mmio.pic;
    unsigned index = (address & 0xFFF) / 4;
    unsigned core = index >= NCRISC_SW_INT_EN;
    (void)from;
    switch (index) {
    case BRISC_SW_INT_EN:
    case NCRISC_SW_INT_EN: *value = pic->sw_enabled[core]; break;
    case BRISC_HW_INT_EN:
    case NCRISC_HW_INT_EN: *value = pic->hw_enabled[core]; break;
    case BRISC_INT_NO:
    case NCRISC_INT_NO: *value = pic->number[core]; break;
    case SW_INT ... HW_INT - 1:
        *value = take_sw(pic, index - SW_INT);
        *pure = *value == 0;
        break;
    case HW_INT ... INT_PC - 1:
        *pure = index != HW_INT + HW_WATCHDOG || !tf_watchdog_to_come(tile);
        *value = hw_raised(tile) >> (index - HW_INT) & 1;
        break;
    default: *value = pic->handler_pc[index - INT_PC]; break;
    }
    return TF_ACCESS_OK;
}

enum tf_access tf_pic_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    struct tf_pic *pic = &tile->mmio.pic;
    unsigned index = (address & 0xFFF) / 4;
    unsigned core = index >= NCRISC_SW_INT_EN;
    (void)from;
    switch (index) {
    case BRISC_SW_INT_EN:
    case NCRISC_SW_INT_EN: pic->sw_enabled[core] = value; break;
    case BRISC_HW_INT_EN:
    case NCRISC_HW_INT_EN: pic->hw_enabled[core] = value & HW_MASK; break;
    case SW_INT ... HW_INT - 1:
        pic->sw_value[index - SW_INT] = value;
        pic->sw_raised &= ~(1u << (index - SW_INT));
        pic->sw_raised |= (uint32_t)(value != 0) << (index - SW_INT);
        break;
    case INT_PC ... REGISTERS - 1: pic->handler_pc[index - INT_PC] = value; break;
    default: /* INT_NO and HW_INT are read-only */ break;
    }
    tile->interruptible = tf_mmio_interruptible(&tile->mmio);
    return TF_ACCESS_OK;
}

int tf_mmio_interrupt(struct tf_tile *tile, unsigned core, uint32_t *pc)
{
    if (core > TF_CORE_NC)
        return -1;
    const struct tf_pic *pic = &tile->mmio.pic;
    uint32_t software = pic->sw_raised & pic->sw_enabled[core];
    uint64_t pending = software | (uint64_t)(hw_raised(tile) & pic->hw_enabled[core]) << TF_SW_IRQS;
    if (pending == 0)
        return -1;
    uint64_t from_next = pending >> pic->next[core] << pic->next[core];
    int number = __builtin_ctzll(from_next != 0 ? from_next : pending);
    *pc = pic->handler_pc[number];
    return number;
}

bool tf_mmio_interrupt_to_come(const struct tf_tile *tile, unsigned core)
{
    return core <= TF_CORE_NC && tile->mmio.pic.hw_enabled[core] >> HW_WATCHDOG & 1 && tf_watchdog_to_come(tile);
}

void tf_mmio_interrupt_taken(struct tf_tile *tile, unsigned core, unsigned number)
{
    struct tf_pic *pic = &tile->mmio.pic;
    pic->number[core] = number;
    pic->next[core] = (number + 1) % (TF_SW_IRQS + TF_HW_IRQS);
}

void tf_pic_hash(const struct tf_mmio *mmio, struct tf_hash *hash)
{
    tf_hash_bytes(hash, &mmio->pic, sizeof mmio->pic); /* only words, no padding */
}
