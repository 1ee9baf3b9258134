/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the registers of a tile: those of the NIUs by NoC/MemoryMap.md and Counters.md, fields of the configuration,
   GPRs, streams, mailboxes and semaphores. */
#include "debug/registers.h"

#include <stdio.h>
#include <string.h>

#include "noc/niu_layout.h"
#include "tile/arch.h"
#include "tile/map.h"
#include "tile/niu_words.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/debug/names.h"
#include "tilefarm_address.h"

void tf_niu_counter_name(unsigned counter, char *name, size_t bytes)
{
    static const char *const names[TF_NIU_COUNTERS] = {
#define NAME(counter_) [TF_##counter_] = #counter_
        NAME(MST_ATOMIC_RESP_RECEIVED),
        NAME(MST_WR_ACK_RECEIVED),
        NAME(MST_RD_RESP_RECEIVED),
        NAME(MST_RD_DATA_WORD_RECEIVED),
        NAME(MST_CMD_ACCEPTED),
        NAME(MST_RD_REQ_SENT),
        NAME(MST_NONPOSTED_ATOMIC_SENT),
        NAME(MST_POSTED_ATOMIC_SENT),
        NAME(MST_NONPOSTED_WR_DATA_WORD_SENT),
        NAME(MST_POSTED_WR_DATA_WORD_SENT),
        NAME(MST_NONPOSTED_WR_REQ_SENT),
        NAME(MST_POSTED_WR_REQ_SENT),
        NAME(MST_NONPOSTED_WR_REQ_STARTED),
        NAME(MST_POSTED_WR_REQ_STARTED),
        NAME(MST_RD_REQ_STARTED),
        NAME(MST_NONPOSTED_ATOMIC_STARTED),
        NAME(SLV_ATOMIC_RESP_SENT),
        NAME(SLV_WR_ACK_SENT),
        NAME(SLV_RD_RESP_SENT),
        NAME(SLV_RD_DATA_WORD_SENT),
        NAME(SLV_REQ_ACCEPTED),
        NAME(SLV_RD_REQ_RECEIVED),
        NAME(SLV_NONPOSTED_ATOMIC_RECEIVED),
        NAME(SLV_POSTED_ATOMIC_RECEIVED),
        NAME(SLV_NONPOSTED_WR_DATA_WORD_RECEIVED),
        NAME(SLV_POSTED_WR_DATA_WORD_RECEIVED),
        NAME(SLV_NONPOSTED_WR_REQ_RECEIVED),
        NAME(SLV_POSTED_WR_REQ_RECEIVED),
        NAME(SLV_NONPOSTED_WR_REQ_STARTED),
        NAME(SLV_POSTED_WR_REQ_STARTED),
#undef NAME
    };
    if (names[counter] != NULL)
        snprintf(name, bytes, "%s", names[counter]);
    else if (counter < TF_MST_WRITE_REQS_OUTGOING)
        snprintf(name, bytes, "MST_REQS_OUTSTANDING_ID(%u)", counter - TF_MST_REQS_OUTSTANDING);
    else
        snprintf(name, bytes, "MST_WRITE_REQS_OUTGOING_ID(%u)", counter - TF_MST_WRITE_REQS_OUTGOING);
}

/* Registers of a NIU beside those of its initiators. */
static bool name_common(uint32_t offset, char *name, size_t bytes)
{
    if (offset >= TF_NIU_COUNTER && offset < TF_NIU_COUNTER + 4 * TF_NIU_COUNTERS) {
        char counter[64];
        tf_niu_counter_name((offset - TF_NIU_COUNTER) / 4, counter, sizeof counter);
        snprintf(name, bytes, "NIU_%s", counter);
        return true;
    }
    const char *text = offset == TF_NIU_NODE_ID       ? "NOC_NODE_ID"
                       : offset == TF_NIU_ENDPOINT_ID ? "NOC_ENDPOINT_ID"
                       : offset == TF_NIU_CLEAR_TIDS  ? "NOC_CLEAR_OUTSTANDING_REQ_CNT"
                                                      : NULL;
    if (text != NULL)
        snprintf(name, bytes, "%s", text);
    return text != NULL;
}

static bool name_niu(const struct tf_arch *arch, unsigned noc, uint32_t offset, char *text, size_t bytes)
{
    static const char *const words[] = {
        [TF_NIU_TARG_LO] = "NOC_TARG_ADDR_LO",  [TF_NIU_TARG_MID] = "NOC_TARG_ADDR_MID",
        [TF_NIU_TARG_HI] = "NOC_TARG_ADDR_HI",  [TF_NIU_RET_LO] = "NOC_RET_ADDR_LO",
        [TF_NIU_RET_MID] = "NOC_RET_ADDR_MID",  [TF_NIU_RET_HI] = "NOC_RET_ADDR_HI",
        [TF_NIU_PACKET_TAG] = "NOC_PACKET_TAG", [TF_NIU_CTRL] = "NOC_CTRL",
        [TF_NIU_AT_LEN_BE] = "NOC_AT_LEN_BE",   [TF_NIU_AT_LEN_BE_1] = "NOC_AT_LEN_BE_1",
        [TF_NIU_AT_DATA] = "NOC_AT_DATA",       [TF_NIU_BRCST_EXCLUDE] = "NOC_BRCST_EXCLUDE",
        [TF_NIU_CMD_CTRL] = "NOC_CMD_CTRL",     [TF_NIU_L1_ACC_AT_INSTRN] = "NOC_L1_ACC_AT_INSTRN",
    };
    const uint32_t common = tf_niu_layout_common(arch->niu, offset);
    char name[80];
    if (common == TF_NIU_NO_REGISTER)
        return false;
    if (name_common(common, name, sizeof name)) {
        snprintf(text, bytes, "%s of NOC %u", name, noc);
        return true;
    }
    const unsigned initiator = common / TF_NIU_INITIATOR_STRIDE, word = common % TF_NIU_INITIATOR_STRIDE / 4;
    if (initiator >= TF_NIU_INITIATORS || word >= sizeof words / sizeof words[0] || words[word] == NULL)
        return false;
    snprintf(text, bytes, "%s of NOC %u, initiator %u", words[word], noc, initiator);
    return true;
}

/* The first field of a word of Config. Others of the word are told by their number. */
static bool name_config(const struct tf_arch *arch, unsigned word, char *text, size_t bytes)
{
    size_t count;
    const struct tf_config_name *list = tf_config_names(arch, &count);
    const char *first = NULL;
    unsigned more = 0;
    for (size_t i = 0; i < count && word < 2 * TF_CFG_WORDS; i++)
        if (!list[i].thread && list[i].word == word % TF_CFG_WORDS) {
            more += first != NULL;
            first = first == NULL ? list[i].name : first;
        }
    if (first == NULL)
        return false;
    if (more != 0)
        snprintf(text, bytes, "Config[%u] word %u: %s and %u more", word / TF_CFG_WORDS, word % TF_CFG_WORDS, first,
                 more);
    else
        snprintf(text, bytes, "Config[%u] word %u: %s", word / TF_CFG_WORDS, word % TF_CFG_WORDS, first);
    return true;
}

bool tf_register_text(const struct tf_arch *arch, uint64_t address, char *text, size_t bytes)
{
    const struct tf_map *map = arch->tile[TF_TILE_TENSIX].map;
    const enum tf_window_id window = address > UINT32_MAX ? TF_AT_NOTHING : tf_map_find(map, (uint32_t)address);
    const uint32_t offset = window == TF_AT_NOTHING ? 0 : (uint32_t)address - map->window[window].first;
    text[0] = '\0';
    switch (window) {
    case TF_AT_NIU0:
    case TF_AT_NIU1: return name_niu(arch, window - TF_AT_NIU0, offset, text, bytes);
    case TF_AT_CONFIG: return name_config(arch, offset / 4, text, bytes);
    case TF_AT_GPRS: snprintf(text, bytes, "GPR %u of T%u", offset / 4 % 64, offset / 256); return true;
    case TF_AT_OVERLAY:
        snprintf(text, bytes, "register %u of stream %u", offset % TF_STREAM_BYTES / 4, offset / TF_STREAM_BYTES);
        return true;
    case TF_AT_MAILBOX: snprintf(text, bytes, "a mailbox"); return true;
    case TF_AT_PCBUF0:
        if (address < TF_SEMAPHORE_BASE)
            return false;
        snprintf(text, bytes, "semaphore %u", ((uint32_t)address - TF_SEMAPHORE_BASE) / 4 % 8);
        return true;
    default: return false;
    }
}
