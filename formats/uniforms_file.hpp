// Uniform numbers that the user gives, one row for each sample: /codes/u of samples, npy or CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

struct UniformsFile {
  std::int64_t rows = 0;
  std::vector<double> u;     // [rows, dims]
  std::string content_hash;  // of an artifact; else empty
};

// A data error unless the shape is [rows, dims] ([rows] where dims is 1) and all numbers are in
// [0,1].
[[nodiscard]] UniformsFile read_uniforms(const std::string& path, std::int64_t dims,
                                         std::optional<std::int64_t> rows);

}  // namespace logpx
