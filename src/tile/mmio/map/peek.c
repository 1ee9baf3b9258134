/* SPDX-License-Identifier: Apache-2.0 */
/* Registers as a debugger sees them: loads without an effect. */
#include "tile/mmio/debug.h"
#include "tile/mmio/map/peek.h"
#include "tile/mmio/streams/stream.h"
#include "tile/state.h"
#include "tile/tensix/configure/config.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/scalar/thcon.h"

static bool peek_gpr(struct tf_tile *tile, unsigned core, uint32_t address, uint32_t *value)
{
    bool pure;
    unsigned threads = core == TF_CORE_B ? 3 : 1; /* the thread whose GPRs the core reaches */
    return core != TF_CORE_NC && address - TF_GPR_BASE < 4 * TF_GPRS * threads &&
           tf_gpr_load(tile, core, address, value, &pure) == TF_ACCESS_OK;
}

bool tf_mmio_peek(struct tf_tile *tile, unsigned core, uint32_t address, uint32_t *value)
{
    bool pure;
    enum tf_window_id id = tf_map_find(tile->arch->map, address);
    *value = 0;
    switch (id) {
    case TF_AT_NIU0:
    case TF_AT_NIU1: return tile->port.load != NULL && tf_port_load(&tile->port, address, value, &pure) == TF_ACCESS_OK;
    case TF_AT_OVERLAY:
        return !tf_stream_pops(tile, address) &&
               tf_stream_load(tile, TF_FROM_NOC, address, value, &pure) == TF_ACCESS_OK;
    case TF_AT_DEBUG: return tf_debug_peek(tile, address & 0xFFF, value);
    case TF_AT_CONFIG:
        return tile->tensix != NULL && tf_config_load(tile, TF_FROM_NOC, address, value, &pure) == TF_ACCESS_OK;
    case TF_AT_GPRS: return tile->tensix != NULL && peek_gpr(tile, core, address, value);
    default: return false;
    }
}
