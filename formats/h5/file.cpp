#include "formats/h5/file.hpp"

#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "formats/file/signature.hpp"
#include "libcore/base/error.hpp"

#include <array>
#include <cstdio>
#include <span>
#include <vector>

namespace logpx::h5 {
namespace {

PropertiesHandle access_properties(const std::string& subject, Access access) {
  PropertiesHandle list(H5Pcreate(H5P_FILE_ACCESS));
  // Files appear by rename, so locks protect nothing; a lock held elsewhere, or a network disk
  // without locks, would only make reading fail.
  if (list.id() < 0 || H5Pset_file_locking(list.id(), 0, 1) < 0 ||
      H5Pset_fclose_degree(list.id(), H5F_CLOSE_SEMI) < 0)
    fail_from_stack(subject, access);
  if (access == Access::writing &&
      H5Pset_libver_bounds(list.id(), H5F_LIBVER_V18, H5F_LIBVER_V18) < 0)
    fail_from_stack(subject, access);
  return list;
}

PropertiesHandle timeless(hid_t property_class, const std::string& subject) {
  PropertiesHandle list(H5Pcreate(property_class));
  if (list.id() < 0 || H5Pset_obj_track_times(list.id(), 0) < 0)
    fail_from_stack(subject, Access::writing);
  return list;
}

[[noreturn]] void explain_foreign(const std::string& path, const std::string& name) {
  std::array<std::byte, signature_bytes> head{};
  std::size_t count = 0;
  if (std::FILE* file = std::fopen(path.c_str(), "rbe"); file != nullptr) {
    count = std::fread(head.data(), 1, head.size(), file);
    std::fclose(file);
  }
  if (count == 0) fail(ErrorKind::data, name, "is empty, expected an HDF5 file");
  fail_as_foreign(std::span(head).first(count), name, "an HDF5 file");
}

// "/a", "/a/b", "/a/b/c"; nothing for the root.
std::vector<std::string> steps_to(const std::string& path) {
  std::vector<std::string> steps;
  if (path == "/") return steps;
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1))
    steps.push_back(path.substr(0, slash));
  steps.push_back(path);
  return steps;
}

}  // namespace

File File::create(const OutputFile& out) {
  prepare_library();
  const PropertiesHandle creation = timeless(H5P_FILE_CREATE, out.target());
  const PropertiesHandle access = access_properties(out.target(), Access::writing);
  FileHandle handle(H5Fcreate(out.path().c_str(), H5F_ACC_TRUNC, creation.id(), access.id()));
  void* opened = nullptr;
  if (handle.id() < 0 || H5Fget_vfd_handle(handle.id(), H5P_DEFAULT, &opened) < 0)
    fail_from_stack(out.target(), Access::writing);
  out.require_own(*static_cast<const int*>(opened));
  return {std::move(handle), out.target(), Access::writing};
}

File File::open(SeekableInput& input) {
  prepare_library();
  const PropertiesHandle access = access_properties(input.name(), Access::reading);
  FileHandle handle(H5Fopen(input.path().c_str(), H5F_ACC_RDONLY, access.id()));
  if (handle.id() < 0) {
    try {
      fail_from_stack(input.name(), Access::reading);
    } catch (const NotHdf5&) {
      explain_foreign(input.path().string(), input.name());
      throw;
    }
  }
  input.unlink_spool();
  File file(std::move(handle), input.name(), Access::reading);
  hsize_t bytes = 0;
  check(H5Fget_filesize(file.id(), &bytes), file);
  file.bytes_ = bytes;
  return file;
}

std::string File::subject(const std::string& path) const {
  return path.empty() ? name_ : name_ + ": " + path;
}

bool File::has(const std::string& path) const {
  for (const std::string& part : steps_to(path))
    if (check(H5Lexists(id(), part.c_str(), H5P_DEFAULT), *this, part) == 0) return false;
  return path == "/" || check(H5Oexists_by_name(id(), path.c_str(), H5P_DEFAULT), *this, path) > 0;
}

void File::require_inside(const std::string& path) const {
  for (const std::string& part : steps_to(path)) {
    H5L_info_t info{};
    check(H5Lget_info(id(), part.c_str(), &info, H5P_DEFAULT), *this, part);
    if (info.type == H5L_TYPE_EXTERNAL)
      fail(ErrorKind::data, subject(part), "is a link to another file, which is not followed");
  }
}

void File::make_groups_for(const std::string& path) {
  for (const std::string& part : steps_to(path)) {
    if (part == path || has(part)) continue;
    const PropertiesHandle creation = timeless(H5P_GROUP_CREATE, subject(part));
    GroupHandle group(H5Gcreate2(id(), part.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT));
    check(group.id(), *this, part);
    check(group.close(), *this, part);
  }
}

void File::close() { check(handle_.close(), *this); }

}  // namespace logpx::h5
