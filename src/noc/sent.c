/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/sent.h"

void tf_niu_forget(struct tf_niu *niu)
{
    for (unsigned i = 0; i < TF_NIU_INITIATORS && niu->sent != NULL; i++)
        tf_noc_sent_forget(&niu->sent[i]);
}
