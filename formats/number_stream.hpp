// Rows of numbers written front to back as they are made, to a file or a stream: npy or CSV.
//
//   NumberStream out("z.npy", Overwrite::refuse, {.form = NumberFormat::npy, .rows = n});
//   out.append(z, workers);
//   out.commit();
#pragma once

#include "formats/file/payload.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

class Workers;

enum class NumberFormat { npy, csv };

struct NumberLayout {
  NumberFormat form = NumberFormat::npy;
  std::int64_t rows = 0;                     // in all
  std::vector<std::int64_t> row_shape = {};  // empty: a number each
  std::string name =
      "z";  // names the columns of a CSV; z_1, z_2, .. or z_1_1, .. where there are more
};

class NumberStream {
 public:
  NumberStream(const std::string& target, Overwrite overwrite, const NumberLayout& layout);

  // Whole rows. A CSV has the shortest decimals that read back the same.
  void append(std::span<const double> rows, Workers& workers);
  void commit();
  [[nodiscard]] std::uint64_t bytes() const { return payload_.bytes(); }  // written so far

 private:
  Payload payload_;
  NumberFormat form_;
  std::size_t columns_;
};

}  // namespace logpx
