/* SPDX-License-Identifier: Apache-2.0 */
/* A library loaded and initialised for each test; what it says on stderr is caught. */
#ifndef RIG_H
#define RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver.h"

#define ETHS 12u

static struct api lib;
static int caught = -1; /* where stderr goes meanwhile */
static int kept = -1;

/* From here on what goes to stderr is kept. */
static inline void catch_stderr(void)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    kept = dup(2);
    caught = dup(fileno(file));
    fclose(file);
    dup2(caught, 2);
}

/* The text that has gone to stderr since, at most bytes - 1 characters. */
static inline void caught_stderr(char *text, size_t bytes)
{
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    lseek(caught, 0, SEEK_SET);
    ssize_t length = read(caught, text, bytes - 1);
    text[length < 0 ? 0 : length] = '\0';
    close(caught);
}

static inline unsigned lines(const char *text)
{
    unsigned count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

/* One call must be refused with one line that holds `part`. */
#define REFUSED(call, part)                                                                  \
    do {                                                                                     \
        char said_[1024];                                                                    \
        catch_stderr();                                                                      \
        call;                                                                                \
        caught_stderr(said_, sizeof said_);                                                  \
        if (lines(said_) != 1 || strncmp(said_, "tilefarm: bad call: function=", 29) != 0 || \
            strstr(said_, part) == NULL)                                                     \
            fail_msg("line %d: \"%s\"", __LINE__, said_);                                    \
    } while (0)

/* And this must not. */
#define SILENT(call)                                      \
    do {                                                  \
        char said_[1024];                                 \
        catch_stderr();                                   \
        call;                                             \
        caught_stderr(said_, sizeof said_);               \
        if (said_[0] != '\0')                             \
            fail_msg("line %d: \"%s\"", __LINE__, said_); \
    } while (0)

static inline int set_up(void **state)
{
    (void)state;
    lib.set_callbacks(host_reads, host_writes);
    lib.init();
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    lib.exit();
    return 0;
}

#endif
