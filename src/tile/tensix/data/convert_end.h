/* SPDX-License-Identifier: Apache-2.0 */
/* Ends what the macros of convert.h stand for, so that a file can include that for another type. */
#undef DATUM
#undef ELEMENT
#undef SIGNED
#undef STEP
#undef CHOOSE
#undef CONVERT_HALVES
#undef BODY
#undef EACH
#undef BELOW
