/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of memory that --write and --dump move. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/output/ranges.h"
#include "cli/text.h"
#include "tile/node_text.h"
#include "tilefarm/tilefarm_config.h"

/* Count the bytes of the next access to a range. */
static size_t piece_of(const struct tf_dump *range, size_t left)
{
    return range->words && left > 4 ? 4 : left;
}

static int range_read(struct tf_chip *chip, const struct tf_dump *range, void *data)
{
    int error = TF_OK;
    for (size_t at = 0, piece; at < range->bytes && error == TF_OK; at += piece) {
        piece = piece_of(range, range->bytes - at);
        error = tf_read(chip, range->node, range->address + at, (uint8_t *)data + at, piece);
    }
    return error;
}

static int range_write(struct tf_chip *chip, const struct tf_dump *range, const void *data, size_t bytes)
{
    int error = TF_OK;
    for (size_t at = 0, piece; at < bytes && error == TF_OK; at += piece) {
        piece = piece_of(range, bytes - at);
        error = tf_write(chip, range->node, range->address + at, (const uint8_t *)data + at, piece);
    }
    return error;
}

/* Write a file of --write to memory. Returns false after an error line. */
static bool write_input(struct tf_chip *chip, const struct tf_dump *input)
{
    size_t bytes;
    if (access(input->path, R_OK) != 0) { /* a reader who gave a number learns what the option takes */
        tf_cli_error("--write: %s: %s; give a file with the bytes to write", input->path, strerror(errno));
        return false;
    }
    void *data = tf_cli_read_file(input->path, &bytes);
    if (data == NULL)
        return false;
    if (bytes == 0) {
        tf_cli_error("--write: %s: the file is empty", input->path);
        free(data);
        return false;
    }
    int error = range_write(chip, input, data, bytes);
    free(data);
    if (error == TF_OK)
        return true;
    char node[TF_NODE_TEXT_BYTES];
    tf_cli_error("--write: %s: cannot be written to %s 0x%llx: %s", input->path,
                 tf_node_text(tf_chip_arch(chip), input->node, node), (unsigned long long)input->address,
                 tf_strerror(error));
    return false;
}

bool tf_request_inputs(struct tf_chip *chip, unsigned number, const struct tf_request *request)
{
    for (unsigned i = 0; i < request->inputs; i++)
        if (request->input[i].chip == number && !write_input(chip, &request->input[i]))
            return false;
    return tf_arguments_write(chip, number, request->arguments, request->argument_lists, request->load,
                              request->job.loads);
}

/* ---- Dumps ---- */

static void *read_dump(struct tf_chip *chip, const struct tf_dump *dump)
{
    void *data = malloc(dump->bytes);
    int error = data == NULL ? TF_ENOMEM : range_read(chip, dump, data);
    if (error == TF_OK)
        return data;
    char node[TF_NODE_TEXT_BYTES];
    tf_cli_error("--dump: %s 0x%llx, 0x%llx bytes: %s", tf_node_text(tf_chip_arch(chip), dump->node, node),
                 (unsigned long long)dump->address, (unsigned long long)dump->bytes, tf_strerror(error));
    free(data);
    return NULL;
}

static bool can_read(struct tf_chip *chip, const struct tf_dump *dump)
{
    void *data = read_dump(chip, dump);
    free(data);
    return data != NULL;
}

/* Reading a register before the run might change the run, so a second chip is read. */
static bool can_read_registers(struct tf_chip *like, unsigned number, const struct tf_request *request)
{
    struct tf_config config = *tf_job_config(&request->job);
    struct tf_chip *chip = NULL;
    bool fine = true;
    config.arch = tf_chip_arch(like);
    for (unsigned i = 0; i < request->dumps && fine; i++) {
        if (!request->dump[i].words || request->dump[i].chip != number)
            continue;
        if (chip == NULL && tf_chip_create(&config, &chip, NULL) != TF_OK) {
            tf_cli_error("--dump: too little memory to check its range");
            return false;
        }
        fine = can_read(chip, &request->dump[i]);
    }
    tf_chip_destroy(chip);
    return fine;
}

bool tf_dumps_check(struct tf_chip *chip, unsigned number, const struct tf_request *request)
{
    for (unsigned i = 0; i < request->dumps; i++)
        if (!request->dump[i].words && request->dump[i].chip == number && !can_read(chip, &request->dump[i]))
            return false;
    return can_read_registers(chip, number, request);
}

bool tf_dumps_write(struct tf_chip *chip, unsigned number, const struct tf_request *request,
                    const struct tf_output *outputs)
{
    for (unsigned i = 0; i < request->dumps; i++) {
        const struct tf_dump *dump = &request->dump[i];
        void *data = dump->chip == number ? read_dump(chip, dump) : NULL;
        if (dump->chip != number)
            continue;
        if (data == NULL)
            return false;
        size_t written = fwrite(data, 1, dump->bytes, outputs[i].file);
        free(data);
        if (written != dump->bytes) {
            tf_cli_error("%s: cannot be written: %s", dump->path, strerror(errno));
            return false;
        }
    }
    return true;
}
