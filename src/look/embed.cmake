# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=FILE.c -DFOLDER=PATH -DFILES="A B" -P embed.cmake: write a C file with these files of a folder as strings,
# for page.c. The path may have spaces, the names have none.
separate_arguments(FILES)
set(arrays "")
set(list "")
foreach(name ${FILES})
  string(MAKE_C_IDENTIFIER ${name} identifier)
  file(READ ${FOLDER}/${name} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,){20})" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "static const char ${identifier}[] = {\n${bytes}0};\n")
  string(APPEND list "    {\"${name}\", ${identifier}},\n")
endforeach()
file(WRITE ${OUT} "/* Made by embed.cmake. */\n#include \"look/page.h\"\n\n${arrays}\n"
  "const struct tf_page_file tf_page_file[TF_PAGE_FILES] = {\n${list}};\n")
