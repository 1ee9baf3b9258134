# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=FILE -DSOURCE=FOLDER -P commit.cmake: write the commit of the sources as a C string. An equal file stays.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=* OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "\"${commit}\"\n")
