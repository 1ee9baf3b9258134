/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware of an idle Ethernet tile in the shape of the vendor's. Core E (E0) starts the second core if there is one,
 * counts heartbeats while it waits for go messages, and runs kernels.
 */
#include "start.h"

START

#ifdef CLIENT_SECOND_CORE
#define SECOND_RESET_PC TF_WORD(TF_ETH_CONTROL_BASE + 8)
#endif

#if TF_CORE == 0
static inline void beat(void)
{
    TF_WORD(CLIENT_HEARTBEAT) = 0xAABB0000u | (++CONTEXT->heartbeat & 0xFFFF);
}

static void copy_banks(void)
{
    const volatile uint32_t *from = (const volatile uint32_t *)CLIENT_BANKS;
    uint32_t *to = (uint32_t *)&CONTEXT->banks;
    for (unsigned i = 0; i < sizeof(struct client_banks) / 4; i++)
        to[i] = from[i];
}

static void start_second(void)
{
#ifdef CLIENT_SECOND_CORE
    set_byte(&MAILBOXES->sync[0], TF_SYNC_INIT);
    SECOND_RESET_PC = CLIENT_FIRMWARE(CLIENT_E1);
    tf_settle(TF_ETH_CONTROL_BASE + 8);
    TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0)) = 0;
    do
        tf_fence();
    while (MAILBOXES->sync[0] != TF_SYNC_DONE);
#endif
}

int main(void)
{
    copy_banks();
    start_second();
    MAILBOXES->launch_msg_rd_ptr = 0;
    MAILBOXES->go[0] = TF_SYNC_DONE;
    for (;;) {
        uint32_t message = MAILBOXES->go[0];
        tf_fence();
        beat();
        if (message >> 24 != TF_GO)
            continue;
        const volatile struct tf_launch *launch = &MAILBOXES->launch[0];
        CONTEXT->config = launch->kernel_config_base[2];
        if (launch->enables & 1)
            ((kernel *)(launch->kernel_config_base[2] + launch->kernel_text_offset[0]))();
        MAILBOXES->go[0] = message & 0x00FFFFFF;
    }
}
#else
int main(void)
{
    set_byte(&MAILBOXES->sync[0], TF_SYNC_DONE);
    for (;;)
        tf_fence();
}
#endif
