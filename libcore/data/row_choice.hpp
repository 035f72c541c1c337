// Which rows of a dataset a tool works on: --rows A:B, and of these the first --limit.
#pragma once

#include "libcore/base/fields.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace logpx {

struct RowChoice {
  std::optional<RowRange> range = {};
  std::optional<std::int64_t> limit = {};

  [[nodiscard]] bool chosen() const { return range || limit; }

  struct Options {
    Field &rows, &limit;
  };
  // `to_do`: "train on". Returns the fields, for what a tool adds to them.
  Options describe(Fields& fields, const std::string& to_do);
};

}  // namespace logpx
