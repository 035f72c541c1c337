#include "libcore/grad/params.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::int64_t block_alignment = 16;  // floats: 64 bytes

// Checked once, when all names are there: a model file may declare many thousands.
bool names_differ(const std::vector<ParamInfo>& infos) {
  std::vector<std::string_view> names;
  names.reserve(infos.size());
  for (const ParamInfo& info : infos) names.emplace_back(info.name);
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

}  // namespace

bool lies_under(std::string_view path, std::string_view prefix) {
  if (!path.starts_with(prefix)) return false;
  return prefix.empty() || prefix.back() == '/' || path.size() == prefix.size() ||
         path[prefix.size()] == '/';
}

bool lies_under_any(std::string_view path, const std::vector<std::string>& prefixes) {
  return prefixes.empty() || std::ranges::any_of(prefixes, [&](const std::string& prefix) {
           return lies_under(path, prefix);
         });
}

int ParamSet::add(std::string name, Shape shape) {
  LOGPX_ASSERT(values_.size() == 0);
  infos_.push_back({std::move(name), shape, block_size_});
  std::int64_t end = 0;
  if (__builtin_add_overflow(block_size_, shape.elements(), &end) ||
      __builtin_add_overflow(end, block_alignment - 1, &end))
    fail(ErrorKind::usage, shape.text(), "has more elements than can be counted");
  block_size_ = end / block_alignment * block_alignment;
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

std::vector<int> ParamSet::under(const std::vector<std::string>& paths) const {
  std::vector<int> tensors;
  for (int i = 0; i < count(); ++i)
    if (lies_under_any(infos_[static_cast<std::size_t>(i)].name, paths)) tensors.push_back(i);
  return tensors;
}

std::vector<BlockRange> ParamSet::ranges(std::span<const int> tensors) const {
  std::vector<BlockRange> ranges;
  for (const int tensor : tensors) {
    const auto t = static_cast<std::size_t>(tensor);
    const std::int64_t begin = infos_[t].offset,
                       end = t + 1 < infos_.size() ? infos_[t + 1].offset : block_size_;
    if (!ranges.empty() && ranges.back().end == begin) ranges.back().end = end;
    else ranges.push_back({begin, end});
  }
  return ranges;
}

std::span<float> ParamSet::block() {
  if (values_.size() != block_size_) {
    LOGPX_ASSERT(names_differ(infos_));
    values_ = Tensor<float>({block_size_});
  }
  return values_.span();
}

std::span<const float> ParamSet::block() const { return const_cast<ParamSet*>(this)->block(); }

}  // namespace logpx
