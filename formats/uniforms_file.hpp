// Uniform numbers that the user brings, one row for each sample: /codes/u of samples, npy or CSV.
// [spec/kaem.md 12.3, --u-file]
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

// Another shape than [rows, dims] ([rows] where dims is 1) and numbers outside [0,1] are data
// errors.
[[nodiscard]] UniformsFile read_uniforms(const std::string& path, std::int64_t dims,
                                         std::optional<std::int64_t> rows);

}  // namespace logpx
