/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The saved state of a coprocessor (host/saved.h), room by room. The kernels, which depend on the host, and the trace
 * are not saved. The packer's plan is made anew from the configuration. What the matrix unit keeps of its last
 * instruction (fpu->kept, src_writes) begins empty.
 */
#include "host/saved.h"
#include "tile/tensix/config/family.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/pack/four.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/state.h"
#include "tile/tensix/whole/saved.h"
#include "tile/tensix/unpack/state.h"
#include "tile/tensix/vector/vector.h"

TF_SAVED_WHOLE(struct tf_tensix, 264);
TF_SAVED_WHOLE(struct tf_unpack, 16);
TF_SAVED_WHOLE(struct tf_fpu, 24);
TF_SAVED_WHOLE(struct tf_pack, 360);

/* Are the numbers valid that index arrays or count their entries? The file may be damaged. */

static bool fifo_fits(const struct tf_fifo *fifo, unsigned entries)
{
    bool fits = fifo->first < TF_FIFO_ENTRIES && fifo->count <= entries && tf_saved_is_flag(&fifo->unbatched);
    for (unsigned i = 0; i < TF_FIFO_ENTRIES; i++)
        fits = fits && tf_saved_is_flag(&fifo->entry[i].from_b);
    return fits;
}

static bool mop_fits(const struct tf_mop *mop)
{
    const bool *const flags[] = {&mop->looping,   &mop->has_start,   &mop->has_end_0,
                                 &mop->has_end_1, &mop->kinds.plays, &mop->kinds.occupies};
    bool fits = (mop->step < 5 || mop->remaining == 0) && mop->lengths[0] <= 5 && mop->lengths[1] <= 5 &&
                mop->phase <= TF_MOP_END_1;
    for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++)
        fits = fits && tf_saved_is_flag(flags[i]);
    return fits;
}

static bool thread_fits(const struct tf_tensix_thread *thread)
{
    const struct tf_replay *replay = &thread->replay;
    return fifo_fits(&thread->fifo, TF_FIFO_ENTRIES) && fifo_fits(&thread->mid, TF_FIFO_ENTRIES) &&
           fifo_fits(&thread->lost, TF_FIFO_ENTRIES) && mop_fits(&thread->mop) && replay->index < TF_REPLAY_ENTRIES &&
           replay->record_left <= TF_REPLAY_ENTRIES && replay->play_left <= TF_REPLAY_ENTRIES &&
           tf_saved_is_flag(&replay->tee) && tf_saved_is_flag(&thread->gate.full) && tf_saved_is_flag(&thread->faulted);
}

static bool frontend_fits(const struct tf_tensix *tensix)
{
    bool fits = tensix->frontend->scalar_holder <= TF_TENSIX_THREADS &&
                tf_saved_is_flag(&tensix->frontend->halt_searched);
    for (unsigned i = 0; i < TF_MUTEXES_MAX; i++)
        fits = fits && tensix->sync->holder[i] <= TF_TENSIX_THREADS;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        fits = fits && thread_fits(&tensix->thread[t]);
    return fits;
}

static bool src_fits(const struct tf_tensix *tensix)
{
    bool fits = tensix->fpu->srca_row < TF_SRC_ROWS;
    for (unsigned side = 0; side < 2; side++) {
        fits = fits && tensix->src->unpack_bank[side] < 2 && tensix->src->matrix_bank[side] < 2;
        for (unsigned bank = 0; bank < 2; bank++)
            fits = fits && tensix->src->format[side][bank] < TF_FORMATS &&
                   tf_saved_is_flag(&tensix->src->to_matrix[side][bank]);
        for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
            fits = fits && tensix->src_data->unpack_row[side][t] <= TF_SRC_ROWS - TF_SRC_COLUMNS;
    }
    return fits;
}

static bool stream_fits(const struct tf_pack_stream *stream)
{
    return stream->used < TF_PACK_LINE_BYTES && tf_saved_is_flag(&stream->placed);
}

static bool pack_fits(const struct tf_pack *pack)
{
    const struct tf_pack_rows *rows = &pack->rows;
    return stream_fits(&pack->data) && stream_fits(&pack->exponents) && stream_fits(&pack->row_starts) &&
           pack->blocked < TF_BFP_BLOCK && rows->grouped < 2 * TF_PACK_LINE_BYTES && tf_saved_is_flag(&rows->open) &&
           tf_saved_is_flag(&rows->held) && tf_saved_is_flag(&rows->absorbed) && tf_saved_is_flag(&rows->all_zero);
}

static void frontend_state(struct tf_saved *saved, struct tf_tensix *tensix)
{
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        TF_SAVED_MEMORY(saved, tensix->thread[t]);
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        TF_SAVED(saved, tensix->ttsync[t]);
    TF_SAVED(saved, *tensix->frontend);
    TF_SAVED(saved, *tensix->sync);
    TF_SAVED(saved, *tensix->busy);
    tf_saved_demand(saved, frontend_fits(tensix), "it is damaged: a coprocessor's queues are invalid");
}

static void config_state(struct tf_saved *saved, struct tf_tensix *tensix)
{
    TF_SAVED_MEMORY(saved, *tensix->config);
    if (tensix->own_config != NULL)
        TF_SAVED_SPAN(saved, tensix->own_config, bank, lower);
    TF_SAVED_MEMORY(saved, *tensix->adcs);
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        TF_SAVED(saved, tensix->rwc[t]);
}

static void pack_state(struct tf_saved *saved, struct tf_tensix *tensix)
{
    for (unsigned i = 0; i < tf_packs(tensix); i++) {
        TF_SAVED_SPAN(saved, &tensix->pack[i], data, plan);
        tf_saved_demand(saved, pack_fits(&tensix->pack[i]), "it is damaged: a packer's streams are invalid");
        if (saved->reads)
            tensix->pack[i].plan.valid = false;
        if (saved->reads && tensix->four != NULL)
            tensix->four->view[0][i].writes = tensix->four->view[1][i].writes = 0;
    }
    if (tensix->busy_packers != NULL)
        TF_SAVED(saved, *tensix->busy_packers);
    for (unsigned i = 0; i < TF_PACKERS; i++)
        TF_SAVED(saved, tensix->packer[i]);
}

void tf_tensix_state(struct tf_saved *saved, struct tf_tile *tile)
{
    struct tf_tensix *tensix = tile->tensix;
    TF_SAVED_FROM(saved, tensix, events);
    TF_SAVED(saved, tile->asleep_until);
    frontend_state(saved, tensix);
    config_state(saved, tensix);
    TF_SAVED_MEMORY(saved, *tensix->thcon);
    TF_SAVED(saved, *tensix->tdma);
    TF_SAVED(saved, *tensix->src);
    TF_SAVED_MEMORY(saved, *tensix->src_data);
    TF_SAVED_MEMORY(saved, *tensix->rounding);
    TF_SAVED(saved, tensix->unpack->set_reg_acc);
    TF_SAVED(saved, tensix->fpu->srca_row);
    tf_saved_demand(saved, src_fits(tensix), "it is damaged: a bank of SrcA or SrcB is invalid");
    pack_state(saved, tensix);
    tf_sfpu_state(saved, tile);
    tf_dst_state(saved, tile);
}
