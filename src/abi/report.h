/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: one line on stderr for each fault of the chip and each call that cannot be served. */
#ifndef ABI_REPORT_H
#define ABI_REPORT_H

#include <stdbool.h>

struct abi;
struct abi_access;
struct abi_device;

/* Print a line on stderr, and keep it as the last error. After too many lines none is printed. */
void abi_report(struct abi *abi, const char *line);

/* Is the next line printed? */
bool abi_reports(const struct abi *abi);

/* Print no more lines. */
void abi_say_nothing(struct abi *abi);

/* End the process when TILEFARM_ON_FAULT=exit. */
void abi_leave_if_asked(struct abi *abi);

/* Report a call that cannot be served, and end the process if asked. */
void abi_refuse(struct abi *abi, const char *format, ...) __attribute__((format(printf, 2, 3)));
void abi_refuse_access(struct abi *abi, const struct abi_access *access, const char *why);

/* Where there are several chips: "chip", its number, and a text. Else "". `text` gets it. */
#define ABI_OF_CHIP_BYTES 24u
const char *abi_of_chip(const struct abi_device *device, const char *between, const char *after,
                        char text[ABI_OF_CHIP_BYTES]);

#endif
