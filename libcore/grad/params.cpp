#include "libcore/grad/params.hpp"

#include "libcore/base/error.hpp"

namespace logpx {
namespace {

constexpr std::int64_t alignment = 16;  // floats: 64 bytes

}  // namespace

int ParamSet::add(std::string name, Shape shape) {
  LOGPX_ASSERT(find(name) < 0 && values_.size() == 0);
  infos_.push_back({std::move(name), shape, block_size_});
  std::int64_t end = 0;
  if (__builtin_add_overflow(block_size_, shape.elements(), &end) ||
      __builtin_add_overflow(end, alignment - 1, &end))
    fail(ErrorKind::usage, shape.text(), "has more elements than can be counted");
  block_size_ = end / alignment * alignment;
  return count() - 1;
}

std::int64_t ParamSet::elements() const {
  std::int64_t sum = 0;
  for (const ParamInfo& info : infos_) sum += info.shape.elements();
  return sum;
}

int ParamSet::find(std::string_view name) const {
  for (int i = 0; i < count(); ++i)
    if (infos_[static_cast<std::size_t>(i)].name == name) return i;
  return -1;
}

std::span<float> ParamSet::block() {
  if (values_.size() != block_size_) values_ = Tensor<float>({block_size_});
  return values_.span();
}

std::span<const float> ParamSet::block() const { return const_cast<ParamSet*>(this)->block(); }

}  // namespace logpx
