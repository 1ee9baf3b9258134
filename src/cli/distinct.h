/* SPDX-License-Identifier: Apache-2.0 */
/* No output of a command may be one of its inputs: it would destroy what the user gave it. */
#ifndef CLI_DISTINCT_H
#define CLI_DISTINCT_H

#include <stdbool.h>

struct tf_named_file {
    const char *option, *path; /* the option that names it, or what it is: "the recording" */
    char *owned;               /* of a copied path; or NULL */
    bool output, save;
};

/* The files that a command line names. It begins all zero. Paths must live as long, but for those of a system. */
struct tf_distinct {
    struct tf_named_file *file;
    unsigned count, room;
    bool lost; /* the host had no memory for one */
};

/* Note a file. A path of NULL or "-" is none. */
void tf_distinct_input(struct tf_distinct *files, const char *option, const char *path);
void tf_distinct_output(struct tf_distinct *files, const char *option, const char *path);

/* Note a file that the run saves the chip to. A later one may replace it. */
void tf_distinct_save(struct tf_distinct *files, const char *option, const char *path);

/* Note each part of a word for another program, between "," and "=", as a file that it may write: "-Map=FILE". */
void tf_distinct_parts(struct tf_distinct *files, const char *option, const char *word);

/* Note the files of the chips of a saved system. */
void tf_distinct_chips(struct tf_distinct *files, const char *option, const char *path);

/* Is no output the same file as an input or as another output, under any name? Forgets all files. Returns false after
   an error line. */
bool tf_distinct_end(struct tf_distinct *files);

/* Forget all files unchecked, for a command that ends earlier. */
void tf_distinct_clear(struct tf_distinct *files);

#endif
