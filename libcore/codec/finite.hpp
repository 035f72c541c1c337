#pragma once

#include <span>

namespace logpx::codec {

// For outputs of networks: a numeric error that names `what` unless all are finite.
void check_finite(std::span<const float> values, const char* what);
void check_finite(std::span<const double> values, const char* what);

}  // namespace logpx::codec
