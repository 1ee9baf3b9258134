/* SPDX-License-Identifier: Apache-2.0 */
/* What firmware leaves for the kernels of its core, at the start of local RAM, and functions of both. */
#include "client.h"

/* As in the vendor's firmware, a tile names itself as its NIU's translation does, where the NIU says so. */
#include "tilefarm_address.h"
#include "tilefarm_family.h"
#ifdef TF_NOC_ID_LOGICAL
#define TF_K_MY_XY (TF_WORD(TF_NIU_BASE(0) + TF_NOC_ID_LOGICAL) & 0xFFFu)
#endif
#define TF_SCRATCH (CLIENT_CONFIG + CLIENT_SCRATCH(TF_CORE))
#include "tilefarm_device.h"

/* The write and the read position of a circular buffer, as the core counts its own pages. Streams count all pages. */
struct client_cb {
    uint32_t first, limit, page_bytes, pages;
    uint32_t read, write;
};

struct context {
    struct client_banks banks;
    struct client_cb cb[CLIENT_BUFFERS_MAX];
    uint32_t config; /* kernel_config_base */
    uint32_t heartbeat;
};

/* As in the vendor's programs, readers use NOC 0 and writers NOC 1. */
#define NOC (TF_CORE == 0 ? 1u : 0u)

#define CONTEXT ((struct context *)TF_LOCAL_BASE)
#define MAILBOXES ((volatile struct tf_mailboxes *)CLIENT_MAILBOXES)

typedef uint32_t kernel(void);

static inline const volatile void *arguments(void)
{
    return (const volatile void *)(CONTEXT->config + CLIENT_ARGUMENTS(TF_CORE));
}

/* Wait until the word has arrived. Wormhole's loads follow stores to their own address alone. */
static inline void set_byte(volatile uint8_t *at, uint8_t value)
{
    *at = value;
    __asm__ volatile("andi x0, %0, 0" ::"r"(*at) : "memory");
}

/* ---- DRAM: pages of an interleaved tensor ---- */

static inline uint32_t bank_xy(uint32_t page)
{
    return CONTEXT->banks.xy[NOC][page % CONTEXT->banks.count];
}

static inline uint32_t bank_address(uint32_t address, uint32_t page, uint32_t bytes)
{
    return address + page / CONTEXT->banks.count * bytes;
}

static inline void read_page(uint32_t address, uint32_t page, uint32_t bytes, uint32_t to)
{
    tf_noc_read(NOC, bank_xy(page), bank_address(address, page, bytes), to, bytes);
}

static inline void write_page(uint32_t address, uint32_t page, uint32_t bytes, uint32_t from)
{
    tf_noc_write(NOC, bank_xy(page), bank_address(address, page, bytes), from, bytes);
}

/* ---- Circular buffers ---- */

/* Take the buffers of a mask from the configuration of the launch. */
static inline void cb_begin(uint32_t mask)
{
    const volatile struct client_buffer *from = (const volatile struct client_buffer *)(CONTEXT->config +
                                                                                        CLIENT_BUFFERS);
    for (unsigned i = 0; i < CLIENT_BUFFERS_MAX; i++)
        if (mask >> i & 1) {
            uint32_t first = from[i].address;
            CONTEXT->cb[i] = (struct client_cb){
                first, first + from[i].bytes, from[i].page_bytes, from[i].pages, first, first,
            };
        }
}

static inline uint32_t cb_advance(const struct client_cb *cb, uint32_t at)
{
    at += cb->page_bytes;
    return at == cb->limit ? cb->first : at;
}

/* Wait for room for a page, and return its address; put it in. */
static inline uint32_t cb_reserve(unsigned i)
{
    tf_cb_reserve_back(i, 1, CONTEXT->cb[i].pages);
    return CONTEXT->cb[i].write;
}

static inline void cb_push(unsigned i)
{
    CONTEXT->cb[i].write = cb_advance(&CONTEXT->cb[i], CONTEXT->cb[i].write);
    tf_cb_push_back(i, 1);
}

/* Wait for a page, and return its address; take it out. */
static inline uint32_t cb_front(unsigned i)
{
    tf_cb_wait_front(i, 1);
    return CONTEXT->cb[i].read;
}

static inline void cb_pop(unsigned i)
{
    CONTEXT->cb[i].read = cb_advance(&CONTEXT->cb[i], CONTEXT->cb[i].read);
    tf_cb_pop_front(i, 1);
}
