#include "libcore/train/kept_chunks.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace logpx {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 20;  // anyone may have written a checkpoint

RowChunks chunks_in(const Checkpoint& from) {
  const auto found = std::ranges::find(from.state, chunks_name, &TensorRef::name);
  if (found == from.state.end()) return {};
  std::array<double, 2> numbers{};
  const auto whole = [](double number) {
    return number >= 1 && number <= static_cast<double>(most);
  };
  const bool fits = found->type == NumberType::f64 && found->bytes.size() == sizeof(numbers);
  if (fits) std::memcpy(numbers.data(), found->bytes.data(), sizeof(numbers));
  if (!std::ranges::all_of(numbers, whole))
    fail(ErrorKind::data, chunks_name, "does not say how rows are cut");
  return {static_cast<std::int64_t>(numbers[0]), static_cast<std::int64_t>(numbers[1])};
}

}  // namespace

RowChunks chunks_of(const TrainingTask& task) {
  return task.store() == nullptr ? RowChunks() : task.store()->chunks();
}

Tensor<double> chunks_tensor(const TrainingTask& task) {
  const RowChunks chunks = chunks_of(task);
  if (!chunks.any()) return {};
  Tensor<double> tensor({2});
  tensor[0] = static_cast<double>(chunks.rows);
  tensor[1] = static_cast<double>(chunks.held);
  return tensor;
}

void require_same_chunks(const TrainingTask& task, const Checkpoint& from) {
  const RowChunks before = chunks_in(from);
  if (before == chunks_of(task)) return;
  std::string remedy;
  if (const RowStore* const store = task.store(); store != nullptr)
    remedy =
        "--memory " + std::to_string(memory_for(store->span().info, store->span().count, before));
  fail(ErrorKind::refused, "--memory",
       "shuffles rows in other windows than in the run that is to go on", remedy);
}

}  // namespace logpx
