/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/wrap.h"

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
        const unsigned blanks = (unsigned)strspn(text, " ");
        const unsigned word = (unsigned)strcspn(text + blanks, " ");
        wrap->blanks += blanks;
        text += blanks;
        if (word == 0)
            break;
        if (wrap->columns != 0 && wrap->column > wrap->indent && wrap->column + wrap->blanks + word > wrap->columns) {
            printf("\n%*s", (int)wrap->indent, "");
            wrap->column = wrap->indent;
            wrap->blanks = 0;
        }
        printf("%*s%.*s", (int)wrap->blanks, "", (int)word, text);
        wrap->column += wrap->blanks + word;
        wrap->blanks = 0;
        text += word;
    }
}

void tf_wrap_line(unsigned column, unsigned indent, const char *text)
{
    struct tf_wrap wrap = tf_wrap_begin(tf_wrap_columns(), column, indent);
    tf_wrap_words(&wrap, text);
    putchar('\n');
}
