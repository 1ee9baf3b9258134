/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of Wormhole's library name its own cores, at coordinates where Blackhole has others. */
#include "rig.h"
#include "addresses.h"

#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)

static void write32(unsigned x, unsigned y, uint64_t address, uint32_t value)
{
    lib.tile_write(x, y, address, &value, sizeof value);
}

/* Core B or E executes a word that is no instruction. */
static void test_core_of_fault(void **state)
{
    (void)state;
    static const struct {
        unsigned x, y;
        const char *says;
    } tiles[] = {{1, 1, "tile=(1,1) core=B"},
                 {8, 2, "tile=(8,2) core=B"},
                 {9, 4, "tile=(9,4) core=B"},
                 {1, 0, "tile=(1,0) core=E"},
                 {6, 6, "tile=(6,6) core=E"}};
    for (unsigned i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        char said[1024];
        tear_down(NULL);
        set_up(NULL);
        write32(tiles[i].x, tiles[i].y, SOFT_RESET_0, 0x47800);
        if (tiles[i].y % 6 == 0)
            write32(tiles[i].x, tiles[i].y, TF_ETH_LINK_BASE + 0x409C, 0x8000);
        write32(tiles[i].x, tiles[i].y, tiles[i].y % 6 == 0 ? 0x8000 : 0, 0xFFFFFFFF);
        catch_stderr();
        write32(tiles[i].x, tiles[i].y, SOFT_RESET_0, 0x47000);
        lib.clock(1000);
        caught_stderr(said, sizeof said);
        if (strstr(said, tiles[i].says) == NULL)
            fail_msg("'%s' says nothing of '%s'", said, tiles[i].says);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_core_of_fault, set_up, tear_down),
    };
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
