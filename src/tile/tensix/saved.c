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
#include "tile/tensix/mover/state.h"
#include "tile/tensix/pack/four.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/scalar/state.h"
#include "tile/tensix/state.h"
#include "tile/tensix/tensix.h"
#include "tile/tensix/unpack/state.h"
#include "tile/tensix/vector/vector.h"

TF_SAVED_WHOLE(struct tf_tensix, 240);
TF_SAVED_WHOLE(struct tf_unpack, 16);
TF_SAVED_WHOLE(struct tf_fpu, 24);
TF_SAVED_WHOLE(struct tf_pack, 360);

static void frontend_state(struct tf_saved *saved, struct tf_tensix *tensix)
{
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        TF_SAVED_MEMORY(saved, tensix->thread[t]);
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        TF_SAVED(saved, tensix->ttsync[t]);
    TF_SAVED(saved, *tensix->frontend);
    TF_SAVED(saved, *tensix->sync);
    TF_SAVED(saved, *tensix->busy);
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
    pack_state(saved, tensix);
    tf_sfpu_state(saved, tile);
    tf_dst_state(saved, tile);
}
