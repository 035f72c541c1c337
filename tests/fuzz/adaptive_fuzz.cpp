// Fuzz target of the adaptive coder. Any form and any bytes: those that fit decode to something,
// and what is coded comes back; forms that do not fit are an error of data.
#include "libcore/base/error.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"

#include <algorithm>

using namespace logpx;
using namespace logpx::codec::adaptive;

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

std::uint32_t number(const std::uint8_t* bytes) {
  return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t head = 8, most = 4096;
  if (size < head) return 0;
  const Form form{static_cast<Kind>(data[0] % 7), number(data + 1), number(data + 3)};
  const Level level = data[5] % 2 == 0 ? Level::normal : Level::best;
  const std::size_t wanted = number(data + 6) % most;
  const std::span<const std::uint8_t> bytes(data + head, std::min(size - head, most));
  try {
    require(decode(std::as_bytes(bytes), wanted, form, level).size() == wanted);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data && !fits(form, wanted));
  }
  const Form own = fits(form, bytes.size()) ? form : likely_form(bytes, {});
  const auto same = decode(encode(bytes, own, level), bytes.size(), own, level);
  require(std::equal(same.begin(), same.end(), bytes.begin(), bytes.end()));
  return 0;
}
