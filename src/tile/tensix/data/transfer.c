/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/data/transfer.h"
#include "tile/tensix/frontend/trail.h"

#include "host/extremes.h"
#include "tile/times.h"
#include "tile/timing.h"
#include "tile/state.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/state.h"
#include "tile/tensix/unpack_job.h"

static inline unsigned duration(const struct tf_tile *tile, enum tf_time time)
{
    return tile->arch->times->value[time];
}

static inline uint64_t quotient_up(uint64_t dividend, unsigned divisor)
{
    return (dividend + divisor - 1) / divisor;
}

/* --- Unpackers --- */

enum speed { X1, X2, X4, X8 };

/* The speed that the job wants (UNPACR_Regular.md, Performance). */
static enum speed speed_of(const struct tf_tile *tile, const struct tf_unpack_job *job)
{
    const struct tf_backend_config *config = tile->tensix->config;
    const unsigned bank = tf_config_bank(config, job->thread);
    const bool slow = job->in_format == TF_FORMAT_BFP2 || job->in_format == TF_FORMAT_BFP2A;
    const bool four_bits = job->in_format == TF_FORMAT_BFP4 || job->in_format == TF_FORMAT_BFP4A;
    const unsigned mode = job->side != TF_SRC_A ? TF_CFG(config, bank, THCON_SEC1_REG2_Throttle_mode)
                                                : TF_CFG(config, bank, THCON_SEC0_REG2_Throttle_mode);
    if (job->discontiguous)
        return X4;
    if (job->compressed || job->upsample >= 3 || slow)
        return X1;
    if (job->upsample == 1 || (job->to_dst && four_bits))
        return mode == X1 ? X1 : X2;
    if (!tile->arch->units.throttle_as_set && !TF_CFG(config, bank, THCON_SEC0_REG1_ovrd_default_throttle_mode))
        return job->bits == 8 ? X8 : X4;
    return (enum speed)mode;
}

/* Bytes that the unpacker fetches in a cycle. */
static unsigned rate_of(const struct tf_tile *tile, const struct tf_unpack_job *job)
{
    switch (speed_of(tile, job)) {
    case X1: return duration(tile, TF_TIME_TX_UNPACK_X1);
    case X2: return duration(tile, TF_TIME_TX_UNPACK_X2);
    case X4: return duration(tile, job->bits >= 16 ? TF_TIME_TX_UNPACK_X4_WIDE : TF_TIME_TX_UNPACK_X4);
    default: return duration(tile, TF_TIME_TX_UNPACK_X8);
    }
}

/* Its address is computed while the last bytes of the instruction before it are fetched. */
uint64_t tf_timed_unpacker_ready(const struct tf_tile *tile, unsigned t)
{
    const uint32_t word = tile->tensix->thread[t].gate.word;
    if (word >> 24 != TF_OP_UNPACR)
        return 0;
    const uint64_t ends = tile->timing->unpacker[TF_FIELD(word, UNPACR, unpack_block_selection)];
    const unsigned begins = duration(tile, TF_TIME_TX_UNPACK);
    return ends > begins ? ends - begins : 0;
}

void tf_timed_unpacks(struct tf_tile *tile, const struct tf_unpack_job *job)
{
    struct tf_timing *timing = tile->timing;
    struct tf_tensix *tensix = tile->tensix;
    const uint64_t begins = tf_max(tile->cycle + duration(tile, TF_TIME_TX_UNPACK), timing->unpacker[job->side]);
    unsigned rate = rate_of(tile, job);
    if (timing->unpacker[job->side ^ 1] > begins && rate > duration(tile, TF_TIME_TX_UNPACK_X1))
        rate /= duration(tile, TF_TIME_TX_UNPACK_SHARED);
    const uint64_t data = job->count == TF_UNPACK_ALL ? job->left : job->count;
    const uint64_t ends = begins + quotient_up(data * job->bits, 8 * rate);
    timing->unpacker[job->side] = ends;
    if (ends > timing->unpacked) {
        timing->busy[TF_UNIT_UNPACK] += ends - tf_max(begins, timing->unpacked);
        timing->unpacked = ends;
    }
    const uint64_t known = ends + duration(tile, TF_TIME_TX_UNPACK_LATENCY);
    if (!job->to_dst)
        timing->valid[job->side][tensix->src->unpack_bank[job->side]] = known;
    if (!job->to_dst && tf_path_of(timing) != NULL)
        tf_trail_unpacks(tile, tf_path_of(timing), job->thread, job->side);
    uint64_t *busy = &tensix->busy->until[job->side != TF_SRC_A ? TF_BUSY_UNPACK_1 : TF_BUSY_UNPACK_0][job->thread];
    *busy = tf_max(*busy, known);
}

/* --- Packers --- */

/* The packers that an instruction uses, as a mask. One packer with four read interfaces counts as one. */
static unsigned packers_of(const struct tf_tile *tile, uint32_t word)
{
    return tile->tensix->busy_packers != NULL ? tf_busy_packers(word) : 1;
}

uint64_t tf_timed_packer_ready(const struct tf_tile *tile, unsigned t)
{
    uint64_t at = 0;
    for (unsigned i = 0, mask = packers_of(tile, tile->tensix->thread[t].gate.word); i < TF_BUSY_PACKERS; i++)
        if ((mask >> i & 1) != 0)
            at = tf_max(at, tile->timing->packer[i]);
    return at;
}

/* Cycles that each packer needs for a PACR. */
static uint64_t packing(const struct tf_tile *tile, unsigned t, uint32_t word)
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_backend_config *config = tensix->config;
    const unsigned bank = tf_config_bank(config, t);
    const struct tf_adc_channel *channel = tensix->adcs->of[t][TF_ADC_PACKERS].channel;
    const uint32_t first = channel[0].value[TF_ADC_X], last = channel[1].value[TF_ADC_X];
    if (word >> 24 != TF_OP_PACR || TF_FIELD(word, PACR, flush) || last < first)
        return 1;
    const unsigned interfaces = TF_FIELD(word, PACR, read_intf_sel);
    uint64_t data = last - first + 1;
    if (tensix->busy_packers == NULL)
        data *= interfaces != 0 ? (unsigned)__builtin_popcount(interfaces) : TF_BUSY_PACKERS;
    const unsigned bits = tf_format_info[TF_CFG(config, bank, THCON_SEC0_REG1_Out_data_format)].bits;
    const uint64_t reads = quotient_up(data, 16 * duration(tile, TF_TIME_TX_PACK_ROWS));
    const uint64_t writes = quotient_up(data * bits, 8 * duration(tile, TF_TIME_TX_PACK_WRITE));
    const bool adds = TF_CFG(config, bank, THCON_SEC0_REG1_Pack_L1_Acc);
    return tf_max(reads, writes * (adds ? duration(tile, TF_TIME_TX_PACK_ADD) : 1));
}

void tf_timed_packs(struct tf_tile *tile, unsigned t)
{
    struct tf_timing *timing = tile->timing;
    const struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    const uint64_t takes = packing(tile, t, thread->gate.word), ends = thread->cycle + takes;
    for (unsigned i = 0, mask = packers_of(tile, thread->gate.word); i < TF_BUSY_PACKERS; i++)
        if ((mask >> i & 1) != 0)
            timing->packer[i] = ends;
    timing->busy[TF_UNIT_PACK] += takes;
    timing->packed = tf_max(timing->packed, ends + duration(tile, TF_TIME_TX_PACK_LATENCY));
}

/* --- The mover --- */

uint64_t tf_timed_moving(const struct tf_tile *tile, unsigned t)
{
    const struct tf_backend_config *config = tile->tensix->config;
    const unsigned bank = tf_config_bank(config, t);
    const uint64_t bytes = (TF_CFG(config, bank, THCON_SEC0_REG6_Buffer_size) & 0xFFFF) << 4;
    const bool reads = TF_CFG(config, bank, THCON_SEC0_REG6_Transfer_direction) & 1;
    return quotient_up(bytes * duration(tile, reads ? TF_TIME_TX_MOVE_128 : TF_TIME_TX_CLEAR_128), 128 * TF_CENTS);
}
