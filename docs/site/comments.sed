# SPDX-License-Identifier: Apache-2.0
# Device headers have plain comments, which become comments for Doxygen here.
s|^/\* SPDX.*||
s|^/\* clang-format.*||
# The first comment is about the file.
1,3s|^/\*$|/** @file|
1,3s|^/\* |/** @file\n * |
# A comment of several lines, or of one, is about what follows; titles of parts are about nothing.
/^\/\*$/{
  N
  / \* ----/!s|^/\*|/**|
}
s|^/\* \([^-]\)|/** \1|
# A comment at the end of a line is about the macro or the value before it.
s|^\(#define [^/]*\) /\* \(.*\*/\)$|\1 /**< \2|
s|^\(    [A-Z][A-Z0-9_]*[^(/]*\) /\* \(.*\*/\)$|\1 /**< \2|
# Sphinx knows one name in a declaration.
s|^\( *struct [a-z_]*\) \([a-z_]*\), \([a-z_]*\);|\1 \2; \1 \3;|
