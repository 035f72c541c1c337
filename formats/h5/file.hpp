// An HDF5 file: made where an OutputFile says, or read from anything a user may name.
#pragma once

#include "formats/h5/errors.hpp"
#include "formats/h5/handles.hpp"
#include "libcore/base/error.hpp"

#include <cstdint>
#include <string>

namespace logpx {
class OutputFile;
class SeekableInput;
}  // namespace logpx

namespace logpx::h5 {

class File {
 public:
  // Object times off, locks off, format of HDF5 1.8 (attributes may then exceed 64 KiB).
  static File create(const OutputFile& out);
  // Read only. A spooled input is unlinked as soon as it is open.
  static File open(SeekableInput& input);

  [[nodiscard]] const std::string& name() const { return name_; }  // for messages
  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // of a file being read
  [[nodiscard]] hid_t id() const { return handle_.id(); }
  [[nodiscard]] std::string subject(const std::string& path) const;  // "a.h5: /data/x"

  // Is there an object at this absolute path?
  [[nodiscard]] bool has(const std::string& path) const;
  // A data error if the way to this object leads into another file: an artifact is one file.
  void require_inside(const std::string& path) const;
  // Makes the groups that an object at this path lies in.
  void make_groups_for(const std::string& path);
  // Everything written, or an error.
  void close();

 private:
  File(FileHandle handle, std::string name, Access access)
      : handle_(std::move(handle)), name_(std::move(name)), access_(access) {}

  FileHandle handle_;
  std::string name_;
  Access access_;
  std::uint64_t bytes_ = 0;
};

// Status (an identifier, herr_t, htri_t, a size) of a call about `path`; negative ones throw.
template <typename Status>
Status check(Status status, const File& file, const std::string& path = "",
             Place where = Place::here()) {
  if (status < 0) fail_from_stack(file.subject(path), file.access(), where);
  return status;
}

}  // namespace logpx::h5
