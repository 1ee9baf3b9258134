/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel of an idle Ethernet tile: it reads a page from DRAM, adds its heartbeats' mark, and writes the page back. */
#include "start.h"

START

uint32_t main(void)
{
    const volatile struct client_ethernet *page = arguments();
    read_page(page->from, page->page, CLIENT_BLOCK_BYTES, CLIENT_DATA);
    tf_noc_wait(NOC);
    for (unsigned i = 0; i < CLIENT_BLOCK_BYTES / 4; i++)
        TF_WORD(CLIENT_DATA + 4 * i) += 0xAABB0000;
    tf_settle(CLIENT_DATA + CLIENT_BLOCK_BYTES - 4);
    write_page(page->to, page->page, CLIENT_BLOCK_BYTES, CLIENT_DATA);
    tf_noc_wait(NOC);
    return 0;
}
