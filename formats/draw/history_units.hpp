// What the keys of a training history are measured in, for the axes of charts.
// [cli.md section 13]
#pragma once

#include "formats/json/value.hpp"

#include <string>
#include <vector>

namespace logpx::draw {

// "elbo" of "elbo_train" and "train_elbo": curves that share an axis.
[[nodiscard]] std::string stem_of(const std::string& key);

// The units by key: those of the header, else as every training tool measures. A history that has
// bits_per_dim counts the terms of its loss in bits as well, every other one in nats.
[[nodiscard]] Json units_of_history(const Json& header, const std::vector<Json>& lines);

}  // namespace logpx::draw
