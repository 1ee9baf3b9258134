/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_files.h
 * Files that show a run: a timeline, a report, a profile, coverage, and all NOC requests.
 * `tilefarm run` has options for the same files (docs/debugging.md). They change no result, but the run takes longer.
 *
 * Call in this order: tf_files_open(), tf_chip_create(), tf_files_attach(), any number of runs, tf_files_write(),
 * tf_chip_destroy(), tf_files_close(). Without tf_files_write() no file is written.
 *
 * Thread: the chip's.
 */
#ifndef TILEFARM_FILES_H
#define TILEFARM_FILES_H

#include "tilefarm/tilefarm_chip.h"
#include "tilefarm/tilefarm_debug.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Paths of the files to write; NULL: not this one. */
struct tf_files_wish {
    const char *timeline;    /**< For Perfetto; compressed if the name ends in ".gz". */
    const char *report;      /**< A web page. */
    const char *profile;     /**< Text; the suffix ".folded", ".svg", ".pb" or ".pb.gz" selects another format. */
    const char *coverage;    /**< In lcov's format. */
    const char *noc_trace;   /**< In the JSON of tt-npe. */
    const char *reserved[8]; /**< NULL, else TF_EINVAL: room for later versions. */
};

/** The head of the report. */
struct tf_files_verdict {
    const char *title;   /**< The name of the run. NULL: "run". */
    const char *verdict; /**< A word or two. NULL: from the state of the chip. */
    const char *message; /**< A sentence after the verdict. NULL: none. */
    bool good;           /**< Show `verdict`, if it is not NULL, in the colour of success. */
};

struct tf_files;

/**
 * Open files, and add their callbacks to a configuration, whose own callbacks are still called. Each file is written
 * beside its path, and replaces it in tf_files_write().
 * @param[in,out] config  for tf_chip_create(); may be freed after that.
 * @param[out] files  untouched on error.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EIO (a file cannot be opened); TF_ENOMEM; TF_EINVAL: the configuration does not allow one of the
 *         files. Relaxed mode, and a chip that explores, allow only a profile and coverage.
 */
TF_API int tf_files_open(const struct tf_files_wish *wish, struct tf_config *config, struct tf_files **files,
                         struct tf_message *message);

/**
 * Attach the files to a chip, before its first run, and after tf_chip_restore() if that is called.
 * @param symbols  the names of functions and lines; they must live until tf_files_close(). Programs may be added later.
 * @return TF_OK, TF_ENOMEM.
 */
TF_API int tf_files_attach(struct tf_files *files, struct tf_chip *chip, struct tf_symbols *symbols);

/**
 * Write the files, while the chip exists. They show the runs so far, and no later ones.
 * @param verdict  for the report; NULL: as if its fields were NULL.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (not attached, or written before); TF_EIO (a full disk); TF_ENOMEM.
 */
TF_API int tf_files_write(struct tf_files *files, const struct tf_files_verdict *verdict, struct tf_message *message);

/** Free everything, after tf_chip_destroy(). NULL is allowed. */
TF_API void tf_files_close(struct tf_files *files);

struct tf_system;
struct tf_system_config;
struct tf_system_files;

/**
 * The same for a system: each file shows all chips, and the report has a map of them and a table of links. Call in this
 * order: tf_system_files_open(), tf_system_create(), tf_system_files_attach(), any number of runs,
 * tf_system_files_write(), tf_system_destroy(), tf_system_files_close().
 * @param[in,out] config  for tf_system_create(); its cluster is set already. Its callbacks are still called, after
 *                those of the files. All chips run in the calling thread.
 * @param[out] files  untouched on error.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EIO (a file cannot be opened); TF_ENOMEM; TF_EINVAL.
 */
TF_API int tf_system_files_open(const struct tf_files_wish *wish, struct tf_system_config *config,
                                struct tf_system_files **files, struct tf_message *message);

/**
 * Attach the files to the system, before its first run, and after tf_system_restore() if that is called.
 * @param symbols  by chip, as in tf_files_attach(). NULL: none.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_ENOMEM; TF_EINVAL: the configuration of a chip does not allow one of the files.
 */
TF_API int tf_system_files_attach(struct tf_system_files *files, struct tf_system *system,
                                  struct tf_symbols *const *symbols, struct tf_message *message);

/** As tf_files_write(), while the system exists. */
TF_API int tf_system_files_write(struct tf_system_files *files, const struct tf_files_verdict *verdict,
                                 struct tf_message *message);

/** Free everything, after tf_system_destroy(). NULL is allowed. */
TF_API void tf_system_files_close(struct tf_system_files *files);

#ifdef __cplusplus
}
#endif
#endif
