// Rows as other programs keep them: a table as CSV, texts and molecules as lines, all but molecules
// as npy and npz. pack-data reads the same rows back.
//
//   RowsFile out("s.npz", Overwrite::refuse, {"npz", info});   // info.n: how many will come
//   out.append(rows);
//   out.commit();
#pragma once

#include "formats/file/payload.hpp"
#include "formats/zip_writer.hpp"
#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx {

struct RowsForm {
  std::string format;  // "csv", "txt", "smi", "npy" or "npz"
  DatasetInfo info;
  std::string numbered = {};  // of a table: the name of a column in front that tells rows apart
};
// A usage error that names a format which such rows do have.
void require_form(const RowsForm& form);

class RowsFile {
 public:
  RowsFile(const std::string& target, Overwrite overwrite, RowsForm form);

  void append(const Rows& rows);
  void commit();
  [[nodiscard]] std::uint64_t bytes() const { return payload_.bytes(); }

 private:
  [[nodiscard]] std::string array_header() const;
  void write(const std::string& text);
  void write_numbered(const Rows& rows);
  void add_column(const std::string& name, std::span<const std::int32_t> values);

  Payload payload_;
  RowsForm form_;
  std::int64_t appended_ = 0;
  std::unique_ptr<ZipWriter> zip_;         // of an npz
  std::vector<std::int32_t> y_, lengths_;  // written after x in an npz
};

}  // namespace logpx
