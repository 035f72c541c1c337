// The orders in a samples file, as sample-model --order-trace keeps them.
#pragma once

#include "formats/dataset_file.hpp"
#include "formats/samples_file.hpp"
#include "libcore/data/order_pictures.hpp"
#include "tools/frame/app.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

struct KeptOrders {
  std::vector<NamedTensor> codes;
  ValueOrders orders;
  // What --order-trace all adds; empty: not kept.
  std::span<const float> entropies = {};    // [count, dims, dims]
  std::span<const float> value_probs = {};  // [count, dims, levels]
  std::int64_t levels = 0;
};

// Those of the chosen rows; no order where the file has none.
[[nodiscard]] KeptOrders kept_orders(const OpenRows& source, const RowSelection& selection);

// A usage error of `option`, which is for `rows`, where they are not there.
void require_orders(bool there, const char* option, const char* rows);

// Steps that somebody asked for with `option`, without those beyond the last one, of which it
// warns; a usage error where none is left.
struct WantedSteps {
  const std::vector<std::int64_t>& numbers;  // from 1
  std::int64_t last = 0;
};
[[nodiscard]] std::vector<std::int64_t> steps_within(App& app, const std::string& option,
                                                     const WantedSteps& wanted);

}  // namespace logpx
