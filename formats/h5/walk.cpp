#include "formats/h5/walk.hpp"

#include <algorithm>

namespace logpx::h5 {
namespace {

ObjectKind kind_of(H5O_type_t type) {
  if (type == H5O_TYPE_GROUP) return ObjectKind::group;
  return type == H5O_TYPE_DATASET ? ObjectKind::dataset : ObjectKind::other;
}

herr_t note(hid_t, const char* name, const H5O_info_t* info, void* objects) {
  const std::string path = name;
  if (path != ".")
    static_cast<std::vector<Object>*>(objects)->push_back({'/' + path, kind_of(info->type)});
  return 0;
}

}  // namespace

std::vector<Object> list_objects(const File& file) {
  prepare_library();
  std::vector<Object> objects;
  // Unordered: to sort by name, HDF5 1.10 trusts the number of links that the file claims.
  check(H5Ovisit2(file.id(), H5_INDEX_NAME, H5_ITER_NATIVE, note, &objects, H5O_INFO_BASIC), file);
  std::sort(objects.begin(), objects.end(),
            [](const Object& a, const Object& b) { return a.path < b.path; });
  return objects;
}

}  // namespace logpx::h5
