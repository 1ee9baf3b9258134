/* SPDX-License-Identifier: Apache-2.0 */
/* B reserves four pages at once, and NC waits for them. With the bug the buffer has three. The two wait for ever. */
#include "races.h"

enum { AT_ONCE = 4 };

#ifdef BUG
#define CAPACITY (AT_ONCE - 1)
#else
#define CAPACITY AT_ONCE
#endif

int main(void)
{
#if TF_CORE == 0
    tf_cb_reserve_back(2, AT_ONCE, CAPACITY);
    tf_cb_push_back(2, AT_ONCE);
#else
    tf_cb_wait_front(2, AT_ONCE);
    tf_cb_pop_front(2, AT_ONCE);
    finish(1);
#endif
    return 0;
}
