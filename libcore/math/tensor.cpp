#include "libcore/math/tensor.hpp"

#include "libcore/base/error.hpp"

#include <cstdlib>
#include <cstring>
#include <limits>
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
  bool empty = false, fits = true;
  for (const std::int64_t size : sizes()) {
    empty = empty || size == 0;
    fits = fits && !__builtin_mul_overflow(product, size, &product);
  }
  if (empty) return 0;
  if (!fits) fail(ErrorKind::usage, text(), "has more elements than can be counted");
  return product;
}

std::string Shape::text() const {
  std::string text = "[";
  for (int axis = 0; axis < rank_; ++axis)
    text += (axis == 0 ? "" : ",") + std::to_string((*this)[axis]);
  return text + ']';
}

thread_local TensorBudget* TensorBudget::active_ = nullptr;

TensorBudget::TensorBudget(std::uint64_t bytes) : left_(bytes), outer_(active_) { active_ = this; }
TensorBudget::~TensorBudget() { active_ = outer_; }

void TensorBudget::spend(std::size_t bytes) {
  if (active_ == nullptr) return;
  if (bytes > active_->left_)
    fail(ErrorKind::data, "config", "asks for a larger model than its tensors make");
  active_->left_ -= bytes;
}

AlignedBytes::AlignedBytes(std::size_t bytes) : bytes_(bytes) {
  TensorBudget::spend(bytes);
  const std::size_t unit = bytes >= huge_from ? huge_page : alignment;
  if (bytes > std::numeric_limits<std::size_t>::max() - unit) throw std::bad_alloc();
  const std::size_t padded = (bytes + unit - 1) / unit * unit;
  if (padded == 0) return;
  void* memory = std::aligned_alloc(unit, padded);
  if (memory == nullptr) throw std::bad_alloc();
  if (unit == huge_page) (void)madvise(memory, padded, MADV_HUGEPAGE);
  std::memset(memory, 0, padded);
  memory_.reset(static_cast<std::byte*>(memory));
}

std::size_t bytes_of(const Shape& shape, std::size_t element) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(shape.elements()), element, &bytes))
    fail(ErrorKind::usage, shape.text(), "is larger than any memory");
  return bytes;
}

void AlignedBytes::Free::operator()(std::byte* memory) const { std::free(memory); }

}  // namespace logpx
