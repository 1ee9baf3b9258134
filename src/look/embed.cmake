# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=FILE.c -DFILES="A B" -P embed.cmake: write a C file with these files as strings, for page.c.
separate_arguments(FILES)
set(arrays "")
set(list "")
foreach(path ${FILES})
  get_filename_component(name ${path} NAME)
  string(MAKE_C_IDENTIFIER ${name} identifier)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,){20})" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "static const char ${identifier}[] = {\n${bytes}0};\n")
  string(APPEND list "    {\"${name}\", ${identifier}},\n")
endforeach()
file(WRITE ${OUT} "/* Made by embed.cmake. */\n#include \"look/page.h\"\n\n${arrays}\n"
  "const struct tf_page_file tf_page_file[TF_PAGE_FILES] = {\n${list}};\n")
