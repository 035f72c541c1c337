// Fuzz target of the adaptive coder. Any form, any bytes and any advice: those that fit decode to
// something, and what is coded comes back; forms that do not fit are an error of data.
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

// Odds out of the bytes themselves, in turn.
class AnyAdvice final : public Adviser {
 public:
  explicit AnyAdvice(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  [[nodiscard]] Odds next() override {
    const std::uint32_t all = word() >> 8 * (word() % 4);
    return {all == 0 ? 0 : word() % (all + 1), all};
  }
  void learn(int bit) override { at_ += static_cast<std::size_t>(1 + bit); }

 private:
  std::uint32_t word() {
    std::uint32_t word = 0;
    for (int i = 0; i < 3; ++i) word = word << 8 | bytes_[at_++ % bytes_.size()];
    return word;
  }
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t head = 8, most = 4096;
  if (size < head) return 0;
  const Form form{static_cast<Kind>(data[0] % 67), number(data + 1), number(data + 3)};
  const Level level = data[5] % 2 == 0 ? Level::normal : Level::best;
  const std::size_t wanted = number(data + 6) % most;
  const std::span<const std::uint8_t> bytes(data + head, std::min(size - head, most));
  const Start start(level, data[5] % 4 < 2 ? bytes.first(0) : bytes.last(bytes.size() / 2));
  try {
    require(decode(std::as_bytes(bytes), wanted, form, start).size() == wanted);
    AnyAdvice advice(std::span(data, size));
    require(decode_advised(std::as_bytes(bytes), wanted, form, start, advice).size() == wanted);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data && !fits(form, wanted));
  }
  const Form own = fits(form, bytes.size()) ? form : likely_form(bytes, {});
  const auto same = decode(encode(bytes, own, start), bytes.size(), own, start);
  require(std::equal(same.begin(), same.end(), bytes.begin(), bytes.end()));
  AnyAdvice before(std::span(data, size)), after(std::span(data, size));
  const auto mixed = encode_advised(bytes, own, start, before);
  const auto again = decode_advised(mixed, bytes.size(), own, start, after);
  require(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
  return 0;
}
