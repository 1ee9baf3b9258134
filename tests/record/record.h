/* SPDX-License-Identifier: Apache-2.0 */
/* The recorded tables of tests/conformance, and the functions that record them again. */
#ifndef TESTS_RECORD_RECORD_H
#define TESTS_RECORD_RECORD_H

#include <stdbool.h>
#include <stdio.h>

/* Print the table again, after its comment, with this library's results for the same inputs. False: it refused. */
typedef bool record_table(const char *library, FILE *out);

record_table record_config, record_frontend, record_fp, record_identification, record_requests, record_driver,
    record_units;

/* Other cases than the committed ones: for each kind the first that the library does not refuse. */
record_table record_new_units;

#endif
