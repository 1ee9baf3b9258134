/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware between programs. It starts the other cores, runs the programs that launch messages name, and reports
 * their end. The protocol is that of the vendor's firmware (firmware-upload.md of the emulator specifications). Only
 * the mailboxes have another address.
 */
#include "tilefarm_kernel.h"
#include "tilefarm_firmware.h"

typedef uint32_t kernel(void);

static volatile struct tf_mailboxes *const mailboxes = (struct tf_mailboxes *)TF_MAILBOXES;

static void run_kernel(volatile struct tf_launch *launch)
{
    if (launch->enables >> TF_CORE & 1)
        ((kernel *)(launch->kernel_config_base[0] + launch->kernel_text_offset[TF_CORE]))();
}

static volatile struct tf_launch *current_launch(void)
{
    return &mailboxes->launch[mailboxes->launch_msg_rd_ptr];
}

#if TF_CORE == 0

#define DISPATCH_STREAM 48u

static volatile uint32_t *sync_word(void)
{
    return (volatile uint32_t *)mailboxes->sync;
}

static void wait_for_others(void)
{
    while (*sync_word() != 0)
        tf_fence();
}

/* Store the word as a whole: on Wormhole a load of the word may overtake stores to its bytes. */
static void set_others(uint8_t signal)
{
    *sync_word() = 0x01010101u * signal;
}

static void tell_dispatcher(uint32_t go)
{
    uint32_t stream = DISPATCH_STREAM + (go & 0xFF);
    tf_noc_write_register(TF_NOC, tf_xy(TF_NOC, go >> 8 & 0xFF, go >> 16 & 0xFF),
                          TF_STREAM_REG_ADDRESS(stream, TF_STREAM_SPACE_UPDATE), 1 << 6);
    tf_noc_wait_sent(TF_NOC);
}

static void serve(volatile uint32_t *go)
{
    volatile struct tf_launch *launch = current_launch();
    uint32_t message = *go;
    set_others(TF_SYNC_GO);
    run_kernel(launch);
    wait_for_others();
    *go = message & 0x00FFFFFF;
    if (launch->mode != TF_DISPATCH_MODE_DEV)
        return;
    launch->enables = 0;
    tell_dispatcher(message);
    mailboxes->launch_msg_rd_ptr = (mailboxes->launch_msg_rd_ptr + 1) % TF_LAUNCHES;
}

/* Let the other cores leave reset at their programs. If the reset PCs are debug registers, the host has stored them. */
static void set_reset_addresses(void)
{
#ifdef TF_K_RESET_CONFIG
    volatile uint32_t *config = (volatile uint32_t *)TF_CFG_BASE + TF_K_RESET_CONFIG;
    for (unsigned thread = 0; thread < 3; thread++)
        config[thread] = TF_K_PROGRAM(2 + thread);
    config[3] = 7;
    config[4] = TF_K_PROGRAM(1);
    config[5] = 1;
    while (config[5] != 1) /* until the stores have arrived */
        ;
#else
    TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_TRISC_RESET_PC_OVERRIDE)) = 7;
    TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_NCRISC_RESET_PC_OVERRIDE)) = 1;
#endif
}

int main(void)
{
    set_others(TF_SYNC_INIT);
    set_reset_addresses();
    TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0)) = 0;
    wait_for_others();
    mailboxes->go[mailboxes->go_index] = 0;
    for (;;) {
        volatile uint32_t *go = &mailboxes->go[mailboxes->go_index];
        tf_fence();
        if (*go >> 24 == TF_GO)
            serve(go);
        else if (*go >> 24 == TF_GO_RESET_READ_POINTER) {
            mailboxes->launch_msg_rd_ptr = 0;
            *go &= 0x00FFFFFF;
        }
    }
}

#else

int main(void)
{
    volatile uint8_t *sync = &mailboxes->sync[TF_CORE - 1];
    for (;;) {
        *sync = TF_SYNC_DONE;
        while (*sync != TF_SYNC_GO)
            tf_fence();
        run_kernel(current_launch());
        tf_fence();
    }
}

#endif
