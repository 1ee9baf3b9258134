/* SPDX-License-Identifier: Apache-2.0 */
/* Step 7: text for the host, and a mark for the timeline. */
#include "tilefarm_device.h"
#include "tilefarm_print.h"

int main(void)
{
    tf_mark("here it begins");
    for (int i = 1; i <= 3; i++)
        tf_printf("the square of %d is %4d, 0x%02x\n", i, i * i, i * i);
    return 0;
}
