/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware of a Tensix tile in the shape of the vendor's: B boots the others, waits for go messages, lets NC fetch its
 * kernel and T0 to T2 run theirs, runs its own, and reports. On Wormhole NC copies its kernel into instruction RAM, and
 * B resets it there.
 */
#include "start.h"

#include "tilefarm_tensix.h"

START

#define MAILBOX MAILBOXES

static volatile struct tf_launch *launch(void)
{
    return &MAILBOX->launch[MAILBOX->launch_msg_rd_ptr];
}

static uint32_t kernel_address(void)
{
    return launch()->kernel_config_base[0] + launch()->kernel_text_offset[TF_CORE];
}

/* Copy the table of banks, padding included, as the vendor's firmware copies its tables. */
static inline void copy_banks(void)
{
    const volatile uint32_t *from = (const volatile uint32_t *)CLIENT_BANKS;
    uint32_t *to = (uint32_t *)&CONTEXT->banks;
    for (unsigned i = 0; i < sizeof(struct client_banks) / 4; i++)
        to[i] = from[i];
}

static inline void begin_kernel(void)
{
    CONTEXT->config = launch()->kernel_config_base[0];
    cb_begin(launch()->local_cb_mask);
}

#if TF_CORE == 0

#define SYNC_WORD (*(volatile uint32_t *)MAILBOX->sync)
enum { NC_RESET = 1 << 18 }; /* in SOFT_RESET_0 */

static void wait_for_others(void)
{
    while (SYNC_WORD != 0)
        tf_fence();
}

static void set_reset_addresses(void)
{
#ifdef TF_K_RESET_CONFIG
    volatile uint32_t *config = (volatile uint32_t *)TF_CFG_BASE + TF_K_RESET_CONFIG;
    for (unsigned t = 0; t < 3; t++)
        config[t] = CLIENT_FIRMWARE(CLIENT_T0 + t);
    config[3] = 7;
    config[4] = CLIENT_FIRMWARE(CLIENT_NC);
    config[5] = 1;
    tf_settle((uint32_t)(uintptr_t)&config[5]);
#else
    for (unsigned t = 0; t < 3; t++)
        TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_TRISC0_RESET_PC) + 4 * t) = CLIENT_FIRMWARE(CLIENT_T0 + t);
    TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_TRISC_RESET_PC_OVERRIDE)) = 7;
    TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_NCRISC_RESET_PC)) = CLIENT_FIRMWARE(CLIENT_NC);
    TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_NCRISC_RESET_PC_OVERRIDE)) = 1;
#endif
}

/* NC begins its kernel. On Wormhole it has halted, and leaves reset in instruction RAM. */
static void start_nc(void)
{
#ifdef TF_K_RESET_CONFIG
    volatile uint32_t *config = (volatile uint32_t *)TF_CFG_BASE + TF_K_RESET_CONFIG;
    while (MAILBOX->sync[0] != CLIENT_SYNC_HALTED)
        ;
    set_byte(&MAILBOX->sync[0], TF_SYNC_GO);
    config[4] = MAILBOX->ncrisc_halt[0];
    tf_settle((uint32_t)(uintptr_t)&config[4]);
    TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0)) = NC_RESET;
    tf_settle(TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0));
    TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0)) = 0;
#else
    set_byte(&MAILBOX->sync[0], TF_SYNC_GO);
#endif
}

static void serve(uint32_t message)
{
    const uint32_t enables = launch()->enables;
    if (enables >> CLIENT_NC & 1)
        set_byte(&MAILBOX->sync[0], CLIENT_SYNC_LOAD);
    do
        tf_fence();
    while (MAILBOX->sync[1] != TF_SYNC_DONE); /* T0 clears the counters of the buffers */
    for (unsigned core = CLIENT_T0; core <= CLIENT_T2; core++)
        if (enables >> core & 1)
            set_byte(&MAILBOX->sync[core - 1], TF_SYNC_GO);
    begin_kernel();
    if (enables >> CLIENT_NC & 1)
        start_nc();
    if (enables >> CLIENT_B & 1)
        ((kernel *)kernel_address())();
    wait_for_others();
    set_byte(&MAILBOX->sync[1], CLIENT_SYNC_COUNTERS);
    MAILBOX->go[MAILBOX->go_index] = message & 0x00FFFFFF;
}

int main(void)
{
    copy_banks();
    MAILBOX->launch_msg_rd_ptr = 0;
    set_reset_addresses();
    for (unsigned i = 0; i < 8; i++)
        tf_tt_push_to(0, TT_OP_SEMINIT(0, 0, 1u << i));
    SYNC_WORD = 0x01010101u * TF_SYNC_INIT;
    tf_settle(CLIENT_MAILBOXES + 8);
    TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0)) = 0;
    wait_for_others();
    MAILBOX->go[MAILBOX->go_index] = TF_SYNC_DONE;
    set_byte(&MAILBOX->sync[1], CLIENT_SYNC_COUNTERS);
    for (;;) {
        uint32_t message = MAILBOX->go[MAILBOX->go_index];
        tf_fence();
        if (message >> 24 == TF_GO)
            serve(message);
    }
}

#else

static volatile uint8_t *const sync = &MAILBOXES->sync[TF_CORE - 1];

#if TF_CORE == 1

#ifdef TF_K_RESET_CONFIG

/* TDMA-RISC.md. Instruction RAM is region 4 of the mover's. */
enum { MOVER_SOURCE = 0x0, MOVER_TARGET = 0x4, MOVER_UNITS = 0x8, MOVER_DIRECTION = 0xC, MOVER_COMMAND = 0x10 };
enum { MOVER_STATUS = 0x14, MOVER_BUSY = 1, MOVER_FIFO_EMPTY = 8, TO_LOCAL = 1, MOVE = 0x40, IRAM = 0x4000 };

static void fetch_kernel(void)
{
    TF_WORD(TF_TDMA_BASE + MOVER_SOURCE) = kernel_address() / 16;
    TF_WORD(TF_TDMA_BASE + MOVER_TARGET) = IRAM;
    TF_WORD(TF_TDMA_BASE + MOVER_UNITS) = launch()->ncrisc_kernel_size16;
    TF_WORD(TF_TDMA_BASE + MOVER_DIRECTION) = TO_LOCAL;
    TF_WORD(TF_TDMA_BASE + MOVER_COMMAND) = MOVE;
}

static void wait_for_kernel(void)
{
    (void)TF_WORD(TF_TDMA_BASE + MOVER_STATUS);
    while ((TF_WORD(TF_TDMA_BASE + MOVER_STATUS) & (MOVER_BUSY | MOVER_FIFO_EMPTY)) != MOVER_FIFO_EMPTY)
        ;
}

static void run_kernel(void)
{
    MAILBOX->ncrisc_halt[0] = TF_IRAM_BASE;
    halt();
}

#else

static void fetch_kernel(void)
{
}

static void wait_for_kernel(void)
{
    do {
        tf_fence();
    } while (*sync != TF_SYNC_GO);
}

static void run_kernel(void)
{
    ((kernel *)kernel_address())();
}

#endif

int main(void)
{
    copy_banks();
    for (;;) {
        set_byte(sync, TF_SYNC_DONE);
        for (uint8_t signal = 0; signal != CLIENT_SYNC_LOAD && signal != TF_SYNC_GO; signal = *sync)
            tf_fence();
        fetch_kernel();
        begin_kernel();
        wait_for_kernel();
        run_kernel();
    }
}

#else

#if TF_CORE == 2
/* The counters that pages are put in by come first, as in the vendor's firmware. */
static void clear_counters(void)
{
    for (unsigned i = 0; i < CLIENT_BUFFERS_MAX; i++) {
        TF_STREAM_REG(i, TF_STREAM_RECEIVED) = 0;
        TF_STREAM_REG(i, TF_STREAM_ACKED) = 0;
    }
    tf_settle(TF_STREAM_REG_ADDRESS(CLIENT_BUFFERS_MAX - 1, TF_STREAM_ACKED));
}
#endif

int main(void)
{
    for (unsigned i = 0; i < 64; i++)
        TF_TT_GPR(i) = 0;
    set_byte(sync, TF_SYNC_DONE);
    for (;;) {
        tf_fence();
        uint8_t signal = *sync;
        tf_fence();
#if TF_CORE == 2
        if (signal == CLIENT_SYNC_COUNTERS) {
            clear_counters();
            set_byte(sync, TF_SYNC_DONE);
        }
#endif
        if (signal != TF_SYNC_GO)
            continue;
        begin_kernel();
        ((kernel *)kernel_address())();
        tf_tt_wait_idle();
        set_byte(sync, TF_SYNC_DONE);
    }
}

#endif
#endif
