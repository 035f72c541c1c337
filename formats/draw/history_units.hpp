// What the keys of a training history are measured in, for the axes of charts.
#pragma once

#include "formats/json/value.hpp"

#include <string>
#include <vector>

namespace logpx::draw {

// "elbo" of "elbo_train" and "train_elbo": curves that share an axis.
[[nodiscard]] std::string stem_of(const std::string& key);

// The units by key: those of the header, else the usual ones of training tools. A history with
// bits_per_dim has the terms of its loss in bits, too; every other one in nats.
[[nodiscard]] Json units_of_history(const Json& header, const std::vector<Json>& lines);

}  // namespace logpx::draw
