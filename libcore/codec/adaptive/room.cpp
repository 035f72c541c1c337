#include "libcore/codec/adaptive/room.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace logpx::codec::adaptive {

Room::Room(std::size_t bytes) {
  constexpr std::size_t line = 64, large_page = std::size_t{2} << 20;
  const std::size_t unit = bytes < large_page ? line : large_page;
  const std::size_t size = (bytes + unit - 1) / unit * unit;
  data_ = static_cast<std::uint8_t*>(std::aligned_alloc(unit, size));
  if (data_ == nullptr) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
  if (unit == large_page) madvise(data_, size, MADV_HUGEPAGE);
#endif
  std::memset(data_, 0, size);
}

Room::~Room() { std::free(data_); }

}  // namespace logpx::codec::adaptive
