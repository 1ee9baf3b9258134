/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_files.h
 * Files that show a run: a timeline, a report, a profile, coverage, and all NOC requests. They are those of the options
 * of `tilefarm run`, which docs/debugging.md describes. Writing them changes no result, but the run takes longer.
 *
 * The calls are, in this order: tf_files_open(), tf_chip_create(), tf_files_attach(), any number of runs,
 * tf_files_write(), tf_chip_destroy(), tf_files_close(). What is not written is lost.
 *
 * Threads: the files belong to the thread that the chip belongs to.
 */
#ifndef TILEFARM_FILES_H
#define TILEFARM_FILES_H

#include "tilefarm/tilefarm.h"
#include "tilefarm/tilefarm_debug.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Paths of the files to write; NULL: not this one. */
struct tf_files_wish {
    const char *timeline;  /**< For Perfetto; compressed if the name ends in ".gz". */
    const char *report;    /**< A page for a browser. */
    const char *profile;   /**< Text; or by the end of the name ".folded", ".svg", ".pb", ".pb.gz". */
    const char *coverage;  /**< In lcov's format. */
    const char *noc_trace; /**< In the JSON of tt-npe. */
};

/** What the report says of the run as a whole. */
struct tf_files_verdict {
    const char *title;   /**< What ran. NULL: "run". */
    const char *verdict; /**< A word or two. NULL: what the state of the chip says. */
    const char *message; /**< A sentence behind it. NULL: none. */
    bool good;           /**< Of a verdict that is not NULL: its colour. */
};

struct tf_files;

/**
 * Open files, and add their callbacks to a configuration. Callbacks of the configuration are called as before. Each
 * file is written beside its path, and takes its place in tf_files_write().
 * @param[in,out] config  for tf_chip_create(); may be freed after that.
 * @param[out] files  untouched on error.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EIO (a file cannot be opened); TF_ENOMEM; TF_EINVAL: the configuration does not allow one of the
 *         files. In relaxed mode, and with `explore`, there are a profile and coverage alone.
 */
TF_API int tf_files_open(const struct tf_files_wish *wish, struct tf_config *config, struct tf_files **files,
                         struct tf_message *message);

/**
 * Look at a chip from now on. Call this after tf_chip_restore(), if there is one, and before the first run.
 * @param symbols  name functions and lines; they must live until tf_files_close(). Programs may be added later.
 * @return TF_OK, TF_ENOMEM.
 */
TF_API int tf_files_attach(struct tf_files *files, struct tf_chip *chip, struct tf_symbols *symbols);

/**
 * Write the files, while the chip lives. They show the runs so far; later runs are in no file.
 * @param verdict  for the report; NULL: all of it as NULL.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (not attached, or written before); TF_EIO (a full disk); TF_ENOMEM.
 */
TF_API int tf_files_write(struct tf_files *files, const struct tf_files_verdict *verdict, struct tf_message *message);

/** Free everything, after tf_chip_destroy(). NULL is allowed. */
TF_API void tf_files_close(struct tf_files *files);

#ifdef __cplusplus
}
#endif
#endif
