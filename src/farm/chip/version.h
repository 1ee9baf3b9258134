/* SPDX-License-Identifier: Apache-2.0 */
/* Name and version in one text: `tilefarm bench` finds it in the file of a library. */
#ifndef FARM_CHIP_VERSION_H
#define FARM_CHIP_VERSION_H

/* "tilefarm 1.2.3", as tf_version() has it. Any thread. */
const char *tf_version_title(void);

#endif
