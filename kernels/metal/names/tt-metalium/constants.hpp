/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes of tiles and faces, by the name under which kernels of tt-metal include them. */
#ifndef TILEFARM_CONSTANTS_HPP
#define TILEFARM_CONSTANTS_HPP

#include <cstdint>

namespace tt::constants
{
constexpr uint32_t TILE_HEIGHT = 32, TILE_WIDTH = 32, TILE_HW = TILE_HEIGHT * TILE_WIDTH;
constexpr uint32_t FACE_HEIGHT = 16, FACE_WIDTH = 16, FACE_HW = FACE_HEIGHT * FACE_WIDTH;
} // namespace tt::constants

#endif
