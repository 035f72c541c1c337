#include "libcore/codec/scheme.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/next_symbol.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::codec {
namespace {

template <typename T>
void check(std::span<const T> values, const char* what) {
  if (!std::all_of(values.begin(), values.end(), [](T v) { return std::isfinite(v); }))
    fail(ErrorKind::numeric, "", std::string("model produced a non-finite value at ") + what);
}

}  // namespace

std::unique_ptr<NextSymbol> Scheme::next_symbol() const { return nullptr; }

void check_finite(std::span<const float> values, const char* what) { check(values, what); }
void check_finite(std::span<const double> values, const char* what) { check(values, what); }

}  // namespace logpx::codec
