/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the registers of a tile, for reports. */
#ifndef DEBUG_REGISTERS_H
#define DEBUG_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tf_arch;

/* Write the name of a NIU's counter, as in Counters.md without "NIU_". */
void tf_niu_counter_name(unsigned counter, char *name, size_t bytes);

#define TF_REGISTER_TEXT_BYTES 160u

/* Name the register of a Tensix tile at an address: "NOC_CMD_CTRL of NOC 1, initiator 2". Returns false if it has no
   name here; text is "" then. */
bool tf_register_text(const struct tf_arch *arch, uint64_t address, char *text, size_t bytes);

#endif
