/* SPDX-License-Identifier: Apache-2.0 */
/* The text of findings, as findings_decode() reads it. */
#ifndef TESTS_RECORD_FINDINGS_TEXT_H
#define TESTS_RECORD_FINDINGS_TEXT_H

#include <stdio.h>

#include "conformance/abi/findings.h"

/* After other arguments of a macro: a comma and a string for each line. */
void print_findings(FILE *out, const struct findings *findings);

#endif
