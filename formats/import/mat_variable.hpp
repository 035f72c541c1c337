// Numeric arrays of MATLAB files, level 5 and 7.3 alike: read in slabs along one axis.
#pragma once

#include "formats/import/array.hpp"
#include "formats/import/spool.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// What a file says about a variable before it is read. Sizes are in MATLAB's order, fastest first.
struct MatVariable {
  std::string name;
  std::string kind;         // "uint8", "double", "cell" ...
  bool is_numeric = false;  // real and dense
  NumberType type = NumberType::u8;
  std::vector<std::int64_t> sizes;

  [[nodiscard]] std::uint64_t elements() const;
};

class MatFile {
 public:
  virtual ~MatFile() = default;
  [[nodiscard]] virtual const std::vector<MatVariable>& variables() const = 0;
  // Elements begin..end-1 of `axis` and all of the others, the first index fastest, native order.
  [[nodiscard]] virtual std::vector<std::byte> read_slab(const MatVariable& variable,
                                                         std::size_t axis, std::int64_t begin,
                                                         std::int64_t end) = 0;
};

// Reads with libmatio, one variable in memory at a time; walk_mat5() must have checked the file.
[[nodiscard]] std::unique_ptr<MatFile> open_mat5(const SeekableBytes& bytes);
// Reads with HDF5, in slabs.
[[nodiscard]] std::unique_ptr<MatFile> open_mat73(const SeekableBytes& bytes);

// The elements of a level-5 file must end exactly where the file does, and compressed ones must
// inflate to what they say with the right checksum: libmatio reads a cut file as if it were whole.
void walk_mat5(const SeekableBytes& bytes);

}  // namespace logpx
