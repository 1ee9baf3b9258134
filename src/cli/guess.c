/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/cli.h"
#include "cli/guess.h"

#define NAME_MAX_BYTES 40u /* longer names are not compared */

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Letters inserted, left out, replaced, or swapped with their neighbour (optimal string alignment). */
static unsigned distance(const char *a, const char *b)
{
    size_t rows = strlen(a), columns = strlen(b);
    unsigned table[NAME_MAX_BYTES + 1][NAME_MAX_BYTES + 1];
    if (rows > NAME_MAX_BYTES || columns > NAME_MAX_BYTES)
        return NAME_MAX_BYTES;
    for (unsigned i = 0; i <= rows; i++)
        table[i][0] = i;
    for (unsigned j = 0; j <= columns; j++)
        table[0][j] = j;
    for (size_t i = 1; i <= rows; i++)
        for (size_t j = 1; j <= columns; j++) {
            unsigned best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = smaller(best, smaller(table[i - 1][j], table[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smaller(best, table[i - 2][j - 2] + 1);
            table[i][j] = best;
        }
    return table[rows][columns];
}

void tf_guess_offer(struct tf_guess *guess, const char *name)
{
    unsigned far = distance(guess->given, name), third = (unsigned)strlen(guess->given) / 3;
    if (far > (third > 1 ? third : 1) || (guess->best != NULL && far >= guess->distance))
        return;
    guess->best = name;
    guess->distance = far;
}

const char *tf_guess_text(const struct tf_guess *guess, char text[TF_GUESS_BYTES])
{
    text[0] = '\0';
    if (guess->best != NULL)
        snprintf(text, TF_GUESS_BYTES, " (did you mean '%s%s'?)", guess->prefix, guess->best);
    return text;
}
