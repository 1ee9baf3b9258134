/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alter_recording FILE: change one byte of the host's first large write, and correct the checksum. The recording then
 * looks as if another client had made it.
 */
#include <stdlib.h>
#include <string.h>

#include "abi/recording.h"

int main(int argc, char **argv)
{
    static uint8_t data[RECORDING_BLOCK_BYTES];
    struct recording_block block;
    FILE *file = argc == 2 ? fopen(argv[1], "r+b") : NULL;
    if (file == NULL || fseek(file, sizeof(struct recording_header), SEEK_SET) != 0)
        return 2;
    while (fread(&block, sizeof block, 1, file) == 1 && block.bytes != 0 && fread(data, block.bytes, 1, file) == 1) {
        for (size_t at = 0; at + sizeof(struct recorded) <= block.bytes;) {
            struct recorded record;
            memcpy(&record, data + at, sizeof record);
            at += sizeof record;
            bool writes = record.kind == RECORDED_WRITE || record.kind == RECORDED_TILE_WRITE;
            if (!writes && record.kind != RECORDED_HOST_READ)
                continue;
            if (writes && record.bytes >= 64 && at + 64 < block.bytes) {
                data[at + 33] ^= 0x40;
                block.checksum = recording_digest(data, block.bytes);
                if (fseek(file, -(long)(sizeof block + block.bytes), SEEK_CUR) != 0)
                    return 2;
                fwrite(&block, sizeof block, 1, file);
                fwrite(data, block.bytes, 1, file);
                return fclose(file) == 0 ? 0 : 2;
            }
            at += record.bytes;
        }
    }
    return 1;
}
