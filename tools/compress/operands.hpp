// Operands of the compression tools: separates the model from the files, and refuses options that
// contradict each other or the operands.
#pragma once

#include "tools/compress/options.hpp"

#include <string>
#include <vector>

namespace logpx {
class App;
}

namespace logpx::compress {

struct Operands {
  std::string model;               // empty: none is named
  std::vector<std::string> files;  // at least one; "-" is stdin

  [[nodiscard]] bool has_stdin() const;
};

// Whether it is a file, not a stream, that begins like all our artifacts.
[[nodiscard]] bool is_hdf5(const std::string& path);

// The whole command to use if the first operand is not a model.
[[nodiscard]] std::string hint_without_model(const App& app, const EncodeOptions& options);

[[nodiscard]] Operands operands_of(App& app, EncodeOptions& options);
[[nodiscard]] Operands operands_of(const App& app, const DecodeOptions& options);

}  // namespace logpx::compress
