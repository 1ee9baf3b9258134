/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of saved chips. An input is such a file; its checksums are made right, so that changes reach the fields. What
 * is restored runs on, and is saved again. An input that begins with ! is a file as it is.
 */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "chip_wish.h"
#include "driver.h"
#include "saved_seal.h"

const char *const fuzz_words[] = {NULL};

/* A Blackhole with one column of tiles. */
static void configure(struct chip_wish *config)
{
    static struct tf_board board;
    const struct tf_board_text text = {.columns = "2,3,4,5,6,7,10,11,12,13,14,15,16"};
    if (board.name[0] == '\0' && tf_board_parse(NULL, &text, &board, NULL) != TF_OK)
        abort();
    chip_wish_init(config);
    config->board = board;
    config->threads = 1;
    config->pin = false;
    config->go_on_after_fault = true;
    config->slice_cycles = 64;
    config->epoch_cycles_min = config->epoch_cycles_max = 64;
}

static struct tf_chip *new_chip(void)
{
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    configure(&config);
    if (chip_wish_create(&config, &chip, NULL) != TF_OK)
        abort();
    return chip;
}

static void run(struct tf_chip *chip, uint64_t cycles)
{
    const struct tf_run_options options = {.cycles_max = cycles};
    enum tf_end end;
    tf_run(chip, &options, &end);
}

/* Programs that poll, that store and load, and that wait for the coprocessor. */
static void load(struct tf_chip *chip, unsigned number)
{
    static const uint32_t programs[][8] = {
        {0x000202B7, 0x0002A303, 0xFE030EE3, 0x0000006F},                         /* poll 0x20000 */
        {0x000202B7, 0x0002A303, 0x00130313, 0x0062A023, 0xFF5FF06F},             /* load, add, store */
        {0xFFB202B7, 0x04000313, 0x0062A023, 0x0002A303, 0xFF1FF06F},             /* a NIU's registers */
        {0xFFE402B7, 0x02000337, 0x0062A023, 0x00000013, 0x00000013, 0xFF1FF06F}, /* pushes to the coprocessor */
    };
    for (unsigned tile = 0; tile < 4; tile++) {
        unsigned program = (tile + number) % 4;
        enum tf_core core = program == 3 ? TF_CORE_T0 : TF_CORE_B;
        if (tf_write(chip, (struct tf_coord){1, (uint8_t)(2 + tile)}, 0x1000, programs[program],
                     sizeof programs[program]) != TF_OK ||
            tf_core_set_pc(chip, tile, core, 0x1000) != TF_OK || tf_core_start(chip, tile, core) != TF_OK)
            abort();
    }
}

size_t fuzz_seed(unsigned number, uint8_t *data, size_t room)
{
    if (number >= 3)
        return 0;
    struct tf_chip *chip = new_chip();
    load(chip, number);
    run(chip, 640 * (number + 1));
    char name[] = "/tmp/tilefarm.fuzz.XXXXXX";
    int fd = mkstemp(name);
    if (fd < 0 || tf_chip_save(chip, name, NULL) != TF_OK)
        abort();
    close(fd); /* of the file that was replaced */
    FILE *file = fopen(name, "rb");
    size_t bytes = file == NULL ? 0 : fread(data, 1, room, file);
    if (file == NULL || bytes == room)
        abort();
    fclose(file);
    unlink(name);
    tf_chip_destroy(chip);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct tf_message message;
    bool raw = bytes != 0 && data[0] == '!';
    fuzz_silence();
    uint8_t *copy = malloc(bytes + 1);
    if (copy == NULL)
        abort();
    memcpy(copy, data, bytes);
    if (!raw)
        saved_seal(copy, bytes, TF_SAVED_CHIP);
    const char *path = fuzz_file(copy + raw, bytes - raw);
    struct tf_chip *chip = new_chip();
    if (path == NULL)
        abort();
    int error = tf_chip_restore(chip, path, &message);
    DEMAND(error == TF_OK || memchr(message.text, '\0', sizeof message.text) != NULL);
    if (error == TF_OK) {
        run(chip, 256);
        tf_state_hash(chip);
        DEMAND(tf_chip_save(chip, "/dev/null", &message) == TF_OK);
    }
    tf_chip_destroy(chip);
    free(copy);
    return 0;
}
