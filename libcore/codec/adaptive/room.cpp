#include "libcore/codec/adaptive/room.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace logpx::codec::adaptive {

Room::Room(std::size_t bytes, Unzeroed) {
  constexpr std::size_t line = 64, large_page = std::size_t{2} << 20;
  const std::size_t unit = bytes < large_page ? line : large_page;
  size_ = (bytes + unit - 1) / unit * unit;
  data_ = static_cast<std::uint8_t*>(std::aligned_alloc(unit, size_));
  if (data_ == nullptr) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
  if (unit == large_page) madvise(data_, size_, MADV_HUGEPAGE);
#endif
}

Room::Room(std::size_t bytes) : Room(bytes, Unzeroed()) { std::memset(data_, 0, size_); }

Room::Room(const Room& other) : Room(other.size_, Unzeroed()) {
  std::memcpy(data_, other.data_, size_);
}

Room::~Room() { std::free(data_); }

}  // namespace logpx::codec::adaptive
