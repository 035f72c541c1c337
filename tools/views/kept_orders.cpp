#include "tools/views/kept_orders.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <string>

namespace logpx {
namespace {

// Rows of a code of so many numbers each; nothing if there is no such code.
template <typename T>
std::span<const T> chosen_code(const std::vector<NamedTensor>& codes, const std::string& name,
                               const RowSelection& selection, std::int64_t each) {
  const h5::Value* const code = find_tensor(codes, name);
  if (code == nullptr || code->type != h5::value_type_of<T>() ||
      std::ssize(code->as<T>()) < selection.end * each)
    return {};
  return code->as<T>().subspan(at(selection.begin * each),
                               at((selection.end - selection.begin) * each));
}

}  // namespace

KeptOrders kept_orders(const OpenRows& source, const RowSelection& selection) {
  auto* const samples = dynamic_cast<SamplesFile*>(source.rows.get());
  const std::int64_t dims = source.rows->info().dims();
  KeptOrders kept;
  if (samples != nullptr) kept.codes = samples->codes();
  kept.orders = {.count = selection.end - selection.begin,
                 .order = chosen_code<std::int32_t>(kept.codes, "order", selection, dims),
                 .policy = chosen_code<float>(kept.codes, "policy", selection, dims * dims)};
  kept.entropies = chosen_code<float>(kept.codes, "entropies", selection, dims * dims);
  if (const h5::Value* const values = find_tensor(kept.codes, "value_probs");
      values != nullptr && values->shape.size() == 3 && values->shape[1] == dims) {
    kept.levels = values->shape[2];
    kept.value_probs = chosen_code<float>(kept.codes, "value_probs", selection, dims * kept.levels);
  }
  if (std::ranges::any_of(kept.orders.order, [&](auto dim) { return dim < -1 || dim >= dims; }))
    kept.orders.order = {};
  return kept;
}

void require_orders(bool there, const char* option, const char* rows) {
  if (there) return;
  fail(ErrorKind::usage, option, std::string("needs ") + rows + " with the order of their values",
       "sample-model --order-trace steps writes such");
}

std::vector<std::int64_t> steps_within(App& app, const std::string& option,
                                       const WantedSteps& wanted) {
  std::vector<std::int64_t> steps;
  for (const std::int64_t step : wanted.numbers)
    if (step >= 1 && step <= wanted.last) steps.push_back(step);
  const std::string range = std::to_string(wanted.last);
  if (steps.empty()) fail(ErrorKind::usage, option, "names no step from 1 to " + range);
  if (steps.size() < wanted.numbers.size())
    app.warn(option + " leaves out steps that are not from 1 to " + range);
  return steps;
}

}  // namespace logpx
