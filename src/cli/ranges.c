/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of memory that --write and --dump move. */
#include <stdlib.h>

#include "cli/file.h"
#include "cli/ranges.h"
#include "cli/text.h"
#include "tile/node_text.h"

/* Count the bytes of the next access to a range. */
static size_t piece_of(const struct tf_dump *range, size_t left)
{
    return range->words && left > 4 ? 4 : left;
}

int tf_range_read(struct tf_chip *chip, const struct tf_dump *range, void *data)
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

bool tf_request_inputs(struct tf_chip *chip, const struct tf_request *request)
{
    for (unsigned i = 0; i < request->inputs; i++) {
        const struct tf_dump *input = &request->input[i];
        size_t bytes;
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
        if (error != TF_OK) {
            char node[TF_NODE_TEXT_BYTES];
            tf_cli_error("--write: %s: cannot be written to %s 0x%llx: %s", input->path,
                         tf_node_text(tf_chip_arch(chip), input->node, node), (unsigned long long)input->address,
                         tf_strerror(error));
            return false;
        }
    }
    return tf_arguments_write(chip, request->arguments, request->argument_lists, request->load, request->job.loads);
}
