// Archives of files: zip, and tar in its dialects, plain or compressed by gzip, xz, zstd or bzip2.
// They may come from anybody, so nothing that they say is believed: names are never paths on this
// computer, sizes are bounded before they cost memory, and archives inside are not opened.
#pragma once

#include "formats/import/byte_source.hpp"
#include "formats/import/spool.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx {

enum class Packing { none, zip, tar, xz, zstd, bzip2 };
// Told by the first 512 bytes, with gzip inflated. The last three are kinds of compression,
// whatever the file holds.
[[nodiscard]] Packing packing_of(std::span<const std::byte> first);
// The memory that the first block of an xz needs besides its output; 0 if it cannot be told.
[[nodiscard]] std::uint64_t xz_dictionary(std::span<const std::byte> first);

// The regular files of an archive, unpacked into one scratch file, in bytewise order of their names
// as a folder would give them. Of several files with one name the last counts, as when tar unpacks.
class Container {
 public:
  struct Member {
    std::string name;  // "ann/1.png": as stored, less "." and empty parts
    std::uint64_t offset = 0, size = 0;
  };

  // Reads `source` to its end. A data error names the archive, and the member if one is at fault.
  explicit Container(ByteSource source);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Packing packing() const { return packing_; }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  // The numbers of the members whose name matches a pattern of the shell such as "*.png", in which
  // * matches slashes too; an empty pattern matches all. A data error when there are none.
  [[nodiscard]] std::vector<std::size_t> chosen(const std::string& pattern) const;
  [[nodiscard]] std::string shown(const Member& member) const;  // "faces.zip: ann/1.png"
  [[nodiscard]] const SourceFile& record() const { return record_; }
  void read_at(std::uint64_t offset, std::span<std::byte> out) const {
    spool_.read_at(offset, out);
  }

 private:
  friend class ContainerWalk;

  std::string name_;
  Packing packing_ = Packing::none;
  SpoolFile spool_;
  std::vector<Member> members_;
  SourceFile record_;
  std::int64_t hidden_ = 0, links_ = 0;
};

// The bytes of a member, which keep the archive open.
[[nodiscard]] ByteSource open_inside(std::shared_ptr<const Container> container,
                                     std::size_t member);

}  // namespace logpx
