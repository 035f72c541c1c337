#include "formats/import/byte_source.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "tests/support/foreign_files.hpp"

#include <doctest/doctest.h>

namespace logpx::byte_source_test {

using namespace logpx::testing;

namespace {

std::string read_error(const Bytes8& file) {
  try {
    ByteSource source("a.gz", file);
    (void)drain(source);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("byte source: gzip is inflated by its magic and both hashes are kept") {
  const Bytes8 plain = ramp(300000), packed = gzip(plain);
  ByteSource source("a", packed);
  CHECK(read_whole(source, 1 << 20) == plain);
  const SourceFile file = *source.finish();
  CHECK(file.bytes == packed.size());
  CHECK(file.sha256 == sha256_hex(packed));
  CHECK(file.sha256_uncompressed == sha256_hex(plain));
  ByteSource straight("a", plain);
  const SourceFile same = *straight.finish();
  CHECK(same.sha256 == sha256_hex(plain));
  CHECK(same.sha256_uncompressed == same.sha256);
}

TEST_CASE("byte source: members one after the other are one stream") {
  Bytes8 packed = gzip(ramp(1000));
  append(packed, gzip(bytes_of("tail")));
  append(packed, Bytes8(512));  // zero padding, as tape archives leave it
  ByteSource source("a", packed);
  Bytes8 expected = ramp(1000);
  append(expected, bytes_of("tail"));
  CHECK(read_whole(source, 1 << 20) == expected);
}

TEST_CASE("byte source: a cut anywhere is noticed, with what was inflated so far") {
  const Bytes8 packed = gzip(ramp(5000));
  for (std::size_t size = 2; size < packed.size(); ++size) {
    const std::string error =
        read_error({packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size)});
    CAPTURE(size);
    CHECK(error.starts_with("a.gz: gzip stream ends early after "));
  }
  const Bytes8 without_trailer(packed.begin(), packed.end() - 8);
  CHECK(read_error(without_trailer) == "a.gz: gzip stream ends early after 5000 bytes");
  Bytes8 two = packed;
  two.push_back(std::byte{0x1f});  // the first byte of a second member
  CHECK(read_error(two) == "a.gz: gzip stream ends early after 5000 bytes");
}

TEST_CASE("byte source: checksum, length and trailing garbage of gzip are checked") {
  const Bytes8 packed = gzip(ramp(5000));
  for (const std::size_t from_end : {8u, 5u, 4u, 1u}) {
    Bytes8 wrong = packed;
    wrong[wrong.size() - from_end] ^= std::byte{1};
    CHECK(read_error(wrong) == "a.gz: gzip checksum does not match");
  }
  Bytes8 longer = packed;
  append(longer, bytes_of(std::string_view("\0\0garbage!!\0", 12)));
  CHECK(read_error(longer) == "a.gz: 12 bytes after the end of the gzip stream");
}

TEST_CASE("byte source: peeking takes nothing") {
  ByteSource source("a", bytes_of("abcdef"));
  CHECK(text_of({source.peek(3).begin(), source.peek(3).end()}) == "abc");
  Bytes8 two(2);
  CHECK(source.read(two) == 2);
  CHECK(source.peek(100).size() == 4);
  CHECK(text_of(read_whole(source, 100)) == "cdef");
}

TEST_CASE("byte source: a stream beyond the limit is refused before it is held") {
  ByteSource plain("a", ramp(100)), packed("a", gzip(ramp(100)));
  CHECK_THROWS_WITH_AS((void)read_whole(plain, 99), "a: has 100 bytes, at most 99 allowed", Error);
  CHECK_THROWS_WITH_AS((void)read_whole(packed, 99), "a: has more than 99 bytes", Error);
}

}  // namespace logpx::byte_source_test
