#include "formats/h5/version.hpp"

#include <hdf5.h>

namespace logpx {

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5dont_atexit();  // before any other call: 1.10.8 crashes in its exit handler after a failed
                    // write
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(release);
}

}  // namespace logpx
