/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that fit the terminal. */
#ifndef CLI_OPTIONS_WRAP_H
#define CLI_OPTIONS_WRAP_H

/* The columns of standard output: those of its terminal, else what COLUMNS says. 0: no limit, as in a pipe. */
unsigned tf_wrap_columns(void);

/* A line under way. */
struct tf_wrap {
    unsigned columns; /* 0: no limit */
    unsigned indent;  /* of the lines that follow the first one */
    unsigned column;  /* of the next character, without `blanks` */
    unsigned blanks;  /* that come before the next word, unless it begins a line */
};

/* A line that has `column` columns of output. Lines after it begin below them, or where room is short, at `indent`. */
struct tf_wrap tf_wrap_begin(unsigned columns, unsigned column, unsigned indent);

/* Print a text that begins at a column, with the end of the line. */
void tf_wrap_line(unsigned column, unsigned indent, const char *text);

/* Print the words of a text, with a line break in place of a blank where a word does not fit. */
void tf_wrap_words(struct tf_wrap *wrap, const char *text);

#endif
