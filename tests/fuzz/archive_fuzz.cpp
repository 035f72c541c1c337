// Fuzz targets of archives: whatever the bytes are, opening them gives members or throws
// logpx::Error; anything else is a bug. LOGPX_FUZZ_MEND sets all checksums right first, so that
// what lies behind them is reached too. A built-in model decodes what names it.
#include "formats/archive/reader.hpp"
#include "formats/archive/small_archive.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/coding_models.hpp"

#include <cstddef>
#include <cstdint>

using namespace logpx;

namespace {

constexpr std::uint64_t most_output = 64u << 20;

std::shared_ptr<Model> built_in() {
  register_coding_models();
  auto model = std::make_shared<ToyVaeModel>(ToyVaeConfig());
  model->randomise();
  return model;
}

#if LOGPX_FUZZ_MEND
void put_u32(std::vector<std::byte>& bytes, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

using archive::crc32_of;

void mend(std::vector<std::byte>& bytes) {
  const std::span<const std::byte> all(bytes);
  std::size_t begin = 0;
  const auto close = [&](archive::WireReader& in, std::uint64_t size) {
    (void)in.raw(size);
    const std::size_t end = bytes.size() - in.rest().size();
    (void)in.u32();
    put_u32(bytes, end, crc32_of(all.subspan(begin, end - begin)));
    begin = end + 4;
  };
  try {
    archive::WireReader in(all, "");
    (void)in.raw(12);
    const unsigned flags = in.u8();
    if ((flags & archive::small_flag) != 0) {
      (void)in.raw((flags & archive::primed_flag) != 0 ? archive::prime_digits / 2 : 0);
      return close(in, in.varint());
    }
    (void)in.u8();
    close(in, in.u16() + ((flags & 3) == 0 ? 0 : 32));
    while (!in.rest().empty()) {
      (void)in.u8();
      close(in, in.varint());
    }
  } catch (const Error&) {  // at the end of what there is
  }
}
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::shared_ptr<Model> model = built_in();
  static Workers workers(1);
  const auto* first = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> bytes(first, first + size);
#if LOGPX_FUZZ_MEND
  mend(bytes);
#endif
  try {
    (void)testing::open_archive(bytes, model, workers, most_output);
  } catch (const Error&) {
  }
  return 0;
}
