// Everything in a file, in the bytewise order of paths.
#pragma once

#include "formats/h5/file.hpp"

#include <string>
#include <vector>

namespace logpx::h5 {

enum class ObjectKind { group, dataset, other };

struct Object {
  std::string path;  // absolute; the root itself is not listed
  ObjectKind kind = ObjectKind::other;
};

// Each object once, under one of its paths; links out of the file are not followed.
[[nodiscard]] std::vector<Object> list_objects(const File& file);

}  // namespace logpx::h5
