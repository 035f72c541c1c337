#include "libcore/math/tensor.hpp"

#include "libcore/base/error.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace logpx {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t huge_from = std::size_t{64} << 20;

}  // namespace

Shape::Shape(std::initializer_list<std::int64_t> sizes)
    : Shape(std::span<const std::int64_t>(sizes.begin(), sizes.size())) {}

Shape::Shape(std::span<const std::int64_t> sizes) : rank_(static_cast<int>(sizes.size())) {
  LOGPX_ASSERT(sizes.size() <= max_rank);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    LOGPX_ASSERT(sizes[i] >= 0);
    sizes_[i] = sizes[i];
  }
}

std::int64_t Shape::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes()) product *= size;
  return product;
}

std::string Shape::text() const {
  std::string text = "[";
  for (int axis = 0; axis < rank_; ++axis)
    text += (axis == 0 ? "" : ",") + std::to_string((*this)[axis]);
  return text + ']';
}

AlignedBytes::AlignedBytes(std::size_t bytes) : bytes_(bytes) {
  const std::size_t unit = bytes >= huge_from ? huge_page : alignment;
  const std::size_t padded = (bytes + unit - 1) / unit * unit;
  if (padded == 0) return;
  void* memory = std::aligned_alloc(unit, padded);
  if (memory == nullptr) throw std::bad_alloc();
  if (unit == huge_page) (void)madvise(memory, padded, MADV_HUGEPAGE);
  std::memset(memory, 0, padded);
  memory_.reset(static_cast<std::byte*>(memory));
}

void AlignedBytes::Free::operator()(std::byte* memory) const { std::free(memory); }

}  // namespace logpx
