/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One program on core B of every tile: 1 + 2 + ... + 100, stored at 0x20000.
 * Build: cc sum.c $(pkg-config --cflags --libs tilefarm)
 */
#include <stdio.h>
#include <tilefarm/tilefarm.h>

static const uint32_t program[] = {
    0x00000293, /*       li   t0, 0        */
    0x06400313, /*       li   t1, 100      */
    0x006282b3, /* loop: add  t0, t0, t1   */
    0xfff30313, /*       addi t1, t1, -1   */
    0xfe031ce3, /*       bnez t1, loop     */
    0x000203b7, /*       lui  t2, 0x20     */
    0x0053a023, /*       sw   t0, 0(t2)    */
    0x0000006f, /* done: j    done         */
};

static int run(struct tf_chip *chip)
{
    const struct tf_arch *arch = tf_chip_arch(chip);
    struct tf_shape shape;
    struct tf_coord node;
    tf_arch_shape(arch, &shape);
    for (unsigned tile = 0; tile < shape.tensix_tiles; tile++)
        if (tf_tile_coord(arch, tile, &node) != TF_OK ||
            tf_write(chip, node, 0x1000, program, sizeof program) != TF_OK ||
            tf_core_set_pc(chip, tile, TF_CORE_B, 0x1000) != TF_OK || tf_core_start(chip, tile, TF_CORE_B) != TF_OK)
            return 1;
    enum tf_end end;
    if (tf_run(chip, NULL, &end) != TF_OK || end != TF_END_QUIET)
        return 1;
    for (unsigned tile = 0; tile < shape.tensix_tiles; tile++) {
        uint32_t sum = 0;
        if (tf_tile_coord(arch, tile, &node) != TF_OK || tf_read(chip, node, 0x20000, &sum, sizeof sum) != TF_OK ||
            sum != 5050)
            return 1;
    }
    struct tf_stats stats;
    tf_stats(chip, &stats);
    printf("%llu instructions, state hash %016llx\n", (unsigned long long)stats.instructions,
           (unsigned long long)tf_state_hash(chip));
    return 0;
}

int main(void)
{
    struct tf_chip *chip;
    struct tf_message message;
    if (tf_chip_create(NULL, &chip, &message) != TF_OK) {
        fprintf(stderr, "%s\n", message.text);
        return 1;
    }
    int result = run(chip);
    tf_chip_destroy(chip);
    return result;
}
