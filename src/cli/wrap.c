/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/wrap.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/text.h"

#define TEXT_COLUMNS_LEAST 40u /* text in fewer columns is hard to read: it begins further left */

unsigned tf_wrap_columns(void)
{
    struct winsize size = {.ws_col = 0};
    const char *text = getenv("COLUMNS");
    uint64_t columns;
    if (isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0)
        return size.ws_col;
    return text != NULL && tf_cli_u64(text, &columns) && columns <= UINT16_MAX ? (unsigned)columns : 0;
}

struct tf_wrap tf_wrap_begin(unsigned columns, unsigned column, unsigned indent)
{
    const bool roomy = columns == 0 || columns >= column + TEXT_COLUMNS_LEAST;
    return (struct tf_wrap){.columns = columns, .indent = roomy ? column : indent, .column = column};
}

void tf_wrap_words(struct tf_wrap *wrap, const char *text)
{
    while (*text != '\0') {
        unsigned word = (unsigned)strcspn(text, " ");
        if (wrap->columns != 0 && word != 0 && wrap->column > wrap->indent && wrap->column + word > wrap->columns) {
            printf("\n%*s", (int)wrap->indent, "");
            wrap->column = wrap->indent;
        }
        printf("%.*s", (int)word, text);
        wrap->column += word;
        text += word;
        if (*text == ' ') { /* the blank is dropped at the end of a line */
            const unsigned next = (unsigned)strcspn(text + 1, " ");
            if (wrap->columns == 0 || wrap->column + 1 + next <= wrap->columns)
                putchar(' ');
            wrap->column++;
            text++;
        }
    }
}

void tf_wrap_line(unsigned column, unsigned indent, const char *text)
{
    struct tf_wrap wrap = tf_wrap_begin(tf_wrap_columns(), column, indent);
    tf_wrap_words(&wrap, text);
    putchar('\n');
}
