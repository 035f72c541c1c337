// What the compression tools are given: the model apart from the files, and options that contradict
// each other or the operands refused.
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

// A file, not a stream, with the first bytes that all our artifacts have.
[[nodiscard]] bool is_hdf5(const std::string& path);

// The whole command that works where the first operand is no model.
[[nodiscard]] std::string hint_without_model(const App& app, const EncodeOptions& options);

[[nodiscard]] Operands operands_of(App& app, EncodeOptions& options);
[[nodiscard]] Operands operands_of(const App& app, const DecodeOptions& options);

}  // namespace logpx::compress
