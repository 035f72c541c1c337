#include "formats/h5/version.hpp"

#include "formats/h5/errors.hpp"

#include <hdf5.h>

namespace logpx {

std::string hdf5_version() {
  h5::prepare_library();  // which must come before any other call
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(release);
}

}  // namespace logpx
