/* SPDX-License-Identifier: Apache-2.0 */
/* The name that was probably meant. */
#ifndef CLI_GUESS_H
#define CLI_GUESS_H

/* Collects the name that is closest to a given one. Set `given` and `prefix`, leave the rest zero. */
struct tf_guess {
    const char *given;
    const char *prefix; /* printed before the name */
    const char *best;
    unsigned distance; /* letters that differ between the two */
};

/* " (did you mean 'NAME'?)", or "" when no name is close. Returns `text`. */
#define TF_GUESS_BYTES 96
const char *tf_guess_text(const struct tf_guess *guess, char text[TF_GUESS_BYTES]);

/* Offer a name. It must live as long as the guess. */
void tf_guess_offer(struct tf_guess *guess, const char *name);

#endif
