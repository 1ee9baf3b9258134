# SPDX-License-Identifier: Apache-2.0
# The version, from the number in CMakeLists.txt and the repository: X.Y.Z at the tag vX.Y.Z, else X.Y.Z.devN+gCOMMIT
# with N commits since the last tag. The archive of a release has the file packaging/VERSION in place of a repository.
#
# include() defines tf_find_version(SOURCE VERSION-VARIABLE COMMIT-VARIABLE).
# cmake -DSOURCE=FOLDER -DOUT=FILE -P version.cmake: write both as C macros. An equal file stays.
# cmake -DSOURCE=FOLDER -P version.cmake: print the version.

# The next version: the number of CMakeLists.txt, or the patch after the last tag if that number is released.
function(tf_next_version number tag out)
  if(NOT tag STREQUAL "" AND number VERSION_LESS_EQUAL tag)
    string(REGEX MATCH "^([0-9]+\\.[0-9]+)\\.([0-9]+)$" parts "${tag}")
    math(EXPR patch "${CMAKE_MATCH_2} + 1")
    set(number ${CMAKE_MATCH_1}.${patch})
  endif()
  set(${out} ${number} PARENT_SCOPE)
endfunction()

function(tf_find_version source version_out commit_out)
  file(STRINGS ${source}/CMakeLists.txt number REGEX "^project\\(tilefarm VERSION ")
  string(REGEX REPLACE ".* VERSION ([0-9.]+).*" "\\1" number "${number}")
  set(commit unknown)
  set(version ${number}.dev0+unknown)
  set(git git -C ${source})
  set(quiet OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${git} rev-parse --show-toplevel OUTPUT_VARIABLE top ${quiet})
  file(REAL_PATH ${source} real)
  if(EXISTS ${source}/packaging/VERSION)
    file(STRINGS ${source}/packaging/VERSION lines LIMIT_COUNT 2)
    list(GET lines 0 version)
    list(GET lines 1 commit)
  elseif(top STREQUAL real)
    execute_process(COMMAND ${git} describe --always --dirty --abbrev=12 --exclude=* OUTPUT_VARIABLE commit ${quiet})
    execute_process(COMMAND ${git} describe --tags --abbrev=0 --match=v[0-9]* OUTPUT_VARIABLE tag ${quiet})
    set(range HEAD)
    if(NOT tag STREQUAL "")
      set(range ${tag}..HEAD)
    endif()
    execute_process(COMMAND ${git} rev-list --count ${range} OUTPUT_VARIABLE count ${quiet})
    string(REGEX REPLACE "^v" "" tag "${tag}")
    tf_next_version(${number} "${tag}" next)
    string(REPLACE "-" "." local "${commit}")
    set(version ${next}.dev${count}+g${local})
    if(count STREQUAL 0 AND number STREQUAL tag AND NOT commit MATCHES "dirty")
      set(version ${number})
    endif()
  endif()
  set(${version_out} ${version} PARENT_SCOPE)
  set(${commit_out} ${commit} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  tf_find_version(${SOURCE} version commit)
  if(OUT)
    file(CONFIGURE OUTPUT ${OUT} CONTENT "#define TF_VERSION \"${version}\"\n#define TF_COMMIT \"${commit}\"\n")
  else()
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo ${version})
  endif()
endif()
