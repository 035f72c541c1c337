# Writes OUT with the version and the commit, only when they changed: one small file is rebuilt.
if(EXISTS ${SOURCE}/COMMIT)  # of `make dist`
  file(STRINGS ${SOURCE}/COMMIT commit)
else()
  execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT
"// Made by scripts/version.cmake.
#include \"tools/frame/version.hpp\"

namespace logpx {
const char* version() { return \"${VERSION}\"; }
const char* commit() { return \"${commit}\"; }
}  // namespace logpx
")
