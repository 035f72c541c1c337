#include "tests/support/containers.hpp"

#include "libcore/base/error.hpp"

#include <archive.h>
#include <archive_entry.h>

namespace logpx::testing {

Bytes8 archive_of(const std::vector<Filed>& files, const std::string& format,
                  const std::string& filter) {
  Bytes8 bytes(std::size_t{1} << 20);
  std::size_t used = 0;
  struct archive* writer = archive_write_new();
  archive_write_set_format_by_name(writer, format.c_str());
  if (!filter.empty()) archive_write_add_filter_by_name(writer, filter.c_str());
  archive_write_open_memory(writer, bytes.data(), bytes.size(), &used);
  bool written = true;
  for (const Filed& file : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, file.name.c_str());
    archive_entry_set_filetype(entry, file.symbolic.empty() ? AE_IFREG : AE_IFLNK);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(file.bytes.size()));
    if (!file.symbolic.empty()) archive_entry_set_symlink(entry, file.symbolic.c_str());
    if (!file.hard.empty()) archive_entry_set_hardlink(entry, file.hard.c_str());
    written = written && archive_write_header(writer, entry) >= ARCHIVE_WARN;
    archive_write_data(writer, file.bytes.data(), file.bytes.size());
    archive_entry_free(entry);
  }
  written = written && archive_write_close(writer) == ARCHIVE_OK;
  const char* reason = archive_error_string(writer);
  const std::string words = reason == nullptr ? "cannot be made" : reason;
  archive_write_free(writer);
  if (!written) fail(ErrorKind::io, format, words);
  bytes.resize(used);
  return bytes;
}

}  // namespace logpx::testing
