// Monarch matrices with numbers: of a golden file, and random ones.
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/math/monarch.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/random_values.hpp"

#include <cmath>
#include <vector>

namespace logpx {

template <typename T>
struct MonarchValues {
  explicit MonarchValues(MonarchFactors factors) : form(std::move(factors)) {}

  Monarch form;
  std::vector<std::vector<T>> tensors = {};  // packed

  [[nodiscard]] std::vector<const T*> pointers() const {
    std::vector<const T*> all;
    for (const auto& tensor : tensors) all.push_back(tensor.data());
    return all;
  }
  [[nodiscard]] std::vector<T> applied(const std::vector<T>& x) const {
    const Job job(*this, std::ssize(x) / form.columns());
    std::vector<T> y(at(form.rows() * job.batch));
    job.map.apply(x.data(), y.data());
    return y;
  }
  [[nodiscard]] std::vector<T> transposed(const std::vector<T>& y) const {
    const Job job(*this, std::ssize(y) / form.rows());
    std::vector<T> x(at(form.columns() * job.batch));
    job.map.apply_transposed(y.data(), x.data());
    return x;
  }
  [[nodiscard]] std::vector<T> matrix() const { return materialize<T>(form, pointers()); }

  // A map together with the data that it refers to.
  struct Job {
    Job(const MonarchValues& values, std::int64_t columns)
        : batch(columns),
          tensors(values.pointers()),
          room(at(values.form.room(columns))),
          map(values.form, tensors, columns, room) {}
    std::int64_t batch;
    std::vector<const T*> tensors;
    std::vector<T> room;
    MonarchMap<T> map;
  };
};

// Positive numbers whose rows sum to 1.
template <typename T>
[[nodiscard]] MonarchValues<T> random_monarch(MonarchFactors factors, std::uint32_t seed) {
  MonarchValues<T> values(std::move(factors));
  for (const MonarchLayer& layer : values.form.layers()) {
    std::vector<T> tensor = random_values<T>(seed++, at(layer.edges()));
    for (T& weight : tensor) weight = std::exp(weight);
    normalise_rows<T>(tensor, layer.n);
    values.tensors.push_back(std::move(tensor));
  }
  return values;
}

// An entry of the golden file: tensors in the paper's order.
[[nodiscard]] inline MonarchValues<double> golden_monarch(const Json& item) {
  const auto factors = [&](const char* name) {
    std::vector<std::int64_t> numbers;
    for (const Json& number : item.at(name).items()) numbers.push_back(number.integer());
    return numbers;
  };
  MonarchValues<double> values({.m = factors("m"), .n = factors("n"), .program = {}});
  for (std::size_t t = 0; t < values.form.layers().size(); ++t)
    values.tensors.push_back(pack_tensor<double>(
        values.form.layers()[t], golden_layer::tensor(item.at("tensors").at(t)).data));
  return values;
}

// The largest difference; infinity where there is not the same number of them.
template <typename A, typename B>
[[nodiscard]] double largest_gap(const std::vector<A>& a, const std::vector<B>& b) {
  if (a.size() != b.size()) return INFINITY;
  double gap = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    gap = std::max(gap, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return gap;
}

}  // namespace logpx
