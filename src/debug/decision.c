/* SPDX-License-Identifier: Apache-2.0 */
/* Describes decisions in words. */
#include <stdio.h>

#include "debug/symbols.h"
#include "tile/explore/decide.h"
#include "tile/node_text.h"
#include "tile/numbered.h"
#include "tilefarm/tilefarm_debug.h"
#include "tilefarm/tilefarm_explore.h"

/* kind: of the tile's node. */
static void name_actor(const struct tf_arch *arch, enum tf_node_kind kind, const struct tf_decision *decision,
                       char *text, size_t bytes)
{
    static const char *const stream[3] = {"by stream 0", "by stream 1", "to a register"};
    static const char *const unit[3] = {"matrix unit", "vector unit", "packer"};
    switch (decision->freedom) {
    case TF_FREE_THREAD:
    case TF_FREE_PACK:
    case TF_FREE_UNPACK:
    case TF_FREE_SCALAR: snprintf(text, bytes, "thread T%u", decision->actor); break;
    case TF_FREE_UNIT:
        snprintf(text, bytes, "thread T%u, %s", decision->actor % TF_DECIDE_THREADS,
                 unit[decision->actor / TF_DECIDE_THREADS % 3]);
        break;
    case TF_FREE_NIU: snprintf(text, bytes, "NOC %u", decision->actor); break;
    case TF_FREE_REQUEST:
    case TF_FREE_CAPTURE:
    case TF_FREE_PARTS:
    case TF_FREE_RESPONSE:
        snprintf(text, bytes, "request %u on NOC %u", decision->ordinal, decision->actor & 1u);
        if (decision->actor > 1)
            snprintf(text, bytes, "request %u on NOC %u to recipient %u", decision->ordinal, decision->actor & 1u,
                     decision->actor / 2u);
        break;
    case TF_FREE_LINK:
    case TF_FREE_LOSS: snprintf(text, bytes, "packet %u of the link", decision->ordinal); break;
    case TF_FREE_STREAM:
        snprintf(text, bytes, "RX queue %u, write %u %s", decision->actor / 3u, decision->ordinal,
                 stream[decision->actor % 3]);
        break;
    default: snprintf(text, bytes, "%s", tf_core_name(arch, kind, decision->actor)); break;
    }
}

static void name_parts(uint32_t value, char *text, size_t bytes)
{
    const uint32_t cut = value / 1000 % 16, cycles = (value % 1000 + 1) / 2 * TF_EXPLORE_CYCLES;
    const char *odd = value & 1 ? "odd" : "even", *even = value & 1 ? "even" : "odd";
    if (cut == 0)
        snprintf(text, bytes, "its %s lines of 16 bytes land %u cycles before the others", odd, cycles);
    else if (cut < 8)
        snprintf(text, bytes, "%u/8 of its %s lines of 16 bytes land %u cycles before the others", cut, odd, cycles);
    else
        snprintf(text, bytes, "its %s lines of 16 bytes, and %u/8 of the others, land %u cycles before the rest", even,
                 cut - 8, cycles);
}

/* A pause comes at the place of its access. The rest of a slice belongs to it. */
static void name_stand(uint32_t value, char *text, size_t bytes)
{
    const uint32_t slices = value % TF_EXPLORE_PAUSE;
    if (value < TF_EXPLORE_PAUSE)
        snprintf(text, bytes, "it stands still for %u cycles", value * TF_EXPLORE_CYCLES);
    else
        snprintf(text, bytes, "it pauses before this access, for %u to %u cycles", slices * TF_EXPLORE_CYCLES,
                 (slices + 1) * TF_EXPLORE_CYCLES);
}

static void name_way(const struct tf_decision *decision, char *text, size_t bytes)
{
    uint32_t value = decision->value, cycles = value * TF_EXPLORE_CYCLES;
    switch (decision->freedom) {
    case TF_FREE_STORE: snprintf(text, bytes, "its store arrives %u cycles late", cycles); break;
    case TF_FREE_STALE: snprintf(text, bytes, "its load hits a stale line of L0, for %u hits", value); break;
    case TF_FREE_CORE: name_stand(value, text, bytes); break;
    case TF_FREE_RESET: snprintf(text, bytes, "it leaves reset %u cycles late", cycles); break;
    case TF_FREE_THREAD: snprintf(text, bytes, "the instruction waits in its FIFO for %u cycles", cycles); break;
    case TF_FREE_PACK: snprintf(text, bytes, "the packer's lines arrive %u cycles late", cycles); break;
    case TF_FREE_UNPACK: snprintf(text, bytes, "the unpacker reads L1 %u cycles late", cycles); break;
    case TF_FREE_MOVE: snprintf(text, bytes, "the mover moves its data %u cycles late", cycles); break;
    case TF_FREE_SCALAR: snprintf(text, bytes, "the scalar unit's request acts %u cycles late", cycles); break;
    case TF_FREE_UNIT: snprintf(text, bytes, "it executes the instruction %u cycles late", cycles); break;
    case TF_FREE_NIU: snprintf(text, bytes, "it takes the command %u cycles late", cycles); break;
    case TF_FREE_REQUEST: snprintf(text, bytes, "it acts %u cycles late", cycles); break;
    case TF_FREE_CAPTURE: snprintf(text, bytes, "it reads its source up to %u cycles late", cycles); break;
    case TF_FREE_PARTS: name_parts(value, text, bytes); break;
    case TF_FREE_LINK: snprintf(text, bytes, "it arrives %u cycles late", cycles); break;
    case TF_FREE_LOSS: snprintf(text, bytes, "it is lost, and sent again"); break;
    case TF_FREE_STREAM: snprintf(text, bytes, "it comes %u cycles late", cycles); break;
    case TF_FREE_LOAD:
        snprintf(text, bytes, "up to %u later instructions overtake its load, which comes %u cycles late",
                 7 - (value - 1) % 7, ((value - 1) / 7 + 1) * TF_EXPLORE_CYCLES);
        break;
    default: snprintf(text, bytes, "its response lands %u cycles late", cycles); break;
    }
}

/* The core to whose code the pc of a decision belongs. */
static unsigned core_of(const struct tf_decision *decision)
{
    switch (decision->freedom) {
    case TF_FREE_THREAD:
    case TF_FREE_PACK:
    case TF_FREE_UNPACK:
    case TF_FREE_SCALAR: return TF_CORE_T0 + decision->actor;
    case TF_FREE_UNIT: return TF_CORE_T0 + decision->actor % TF_DECIDE_THREADS;
    default: return decision->actor;
    }
}

void tf_decision_text(const struct tf_arch *arch, const struct tf_decision *decision, struct tf_symbols *symbols,
                      char *text, size_t bytes)
{
    char actor[64], way[96], place[TF_PLACE_BYTES] = "", address[40] = "", node[TF_NODE_TEXT_BYTES];
    struct tf_coord coord = {0, 0};
    const int found = tf_numbered_coord(tf_arch_or_default(arch), decision->tile, &coord) ? tf_symbols_tile(arch, coord)
                                                                                          : -1;
    const unsigned tile = found < 0 ? decision->tile : (unsigned)found;
    name_actor(arch, tf_node_kind(arch, coord), decision, actor, sizeof actor);
    name_way(decision, way, sizeof way);
    const bool request = (decision->freedom >= TF_FREE_REQUEST && decision->freedom <= TF_FREE_RESPONSE) ||
                         decision->freedom == TF_FREE_NIU || decision->freedom == TF_FREE_LINK ||
                         decision->freedom == TF_FREE_LOSS;
    for (unsigned core = 0; request && core < TF_TILE_CORES && place[0] == '\0'; core++)
        tf_symbols_place(symbols, tile, core, decision->pc, place, sizeof place);
    if (!request && decision->freedom != TF_FREE_STREAM)
        tf_symbols_place(symbols, tile, core_of(decision), decision->pc, place, sizeof place);
    if (decision->address != 0)
        snprintf(address, sizeof address, ", 0x%llx", (unsigned long long)decision->address);
    snprintf(text, bytes, "%s, %s, cycle %llu%s%s%s: %s", tf_tile_text(arch, decision->tile, node), actor,
             (unsigned long long)decision->cycle, address, place[0] != '\0' ? ", " : "", place, way);
}
