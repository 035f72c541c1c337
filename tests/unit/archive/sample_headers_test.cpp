#include "formats/archive/sample_headers.hpp"

#include <doctest/doctest.h>

#include <string>

namespace logpx::sample_headers_test {

using namespace logpx::archive;

namespace {

// Numbers of a file in one order of bytes.
class Made {
 public:
  explicit Made(bool big = false) : big_(big) {}
  Made& word(std::string_view text) {
    text_ += text;
    return *this;
  }
  Made& number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
      text_ += static_cast<char>(value >> 8 * (big_ ? bytes - 1 - i : i));
    return *this;
  }
  Made& up_to(std::size_t place) {
    text_.resize(place);
    return *this;
  }
  [[nodiscard]] std::string text() const { return text_ + std::string(4000, 'x'); }

 private:
  std::string text_;
  bool big_;
};

Made wav(std::uint64_t format, std::uint64_t channels, std::uint64_t bits) {
  Made made;
  made.word("RIFF").number(4000, 4).word("WAVElist").number(3, 4).word("odd").number(0, 1);
  made.word("fmt ").number(16, 4).number(format, 2).number(channels, 2).number(48000, 4);
  made.number(0, 4).number(0, 2).number(bits, 2).word("data").number(3000, 4);
  return made;
}

std::optional<SampleHeader> found(const Made& made) { return find_samples(bytes_of(made.text())); }

}  // namespace

TEST_CASE("sample headers: WAV says channels and bytes; compressed sound is left alone") {
  const auto sound = found(wav(1, 2, 16));
  REQUIRE(sound);
  CHECK(sound->samples == BlockSamples{2, 2, false, true, 56});
  CHECK(sound->row == 0);
  CHECK(found(wav(1, 1, 8))->samples == BlockSamples{1, 1, false, false, 56});
  CHECK(found(wav(1, 1, 20))->samples.bytes == 3);
  CHECK_FALSE(found(wav(3, 2, 32)));
  CHECK_FALSE(found(wav(1, 2, 32)));
  CHECK_FALSE(found(wav(1, 0, 16)));
  CHECK_FALSE(found(wav(1, 33, 16)));
  const std::string whole = wav(1, 2, 16).text();
  for (std::size_t size = 0; size <= 56; ++size)
    CHECK_FALSE(find_samples(bytes_of(std::string_view(whole).substr(0, size))));
}

TEST_CASE("sample headers: AIFF has the highest byte first, unless it says otherwise") {
  Made plain(true), turned(true);
  plain.word("FORM").number(4000, 4).word("AIFFCOMM").number(18, 4);
  plain.number(2, 2).number(9, 4).number(24, 2).up_to(38).word("SSND").number(900, 4);
  CHECK(found(plain)->samples == BlockSamples{2, 3, true, true, 54});
  turned.word("FORM").number(4000, 4).word("AIFCCOMM").number(22, 4);
  turned.number(1, 2).number(9, 4).number(16, 2).up_to(38).word("sowtSSND").number(900, 4);
  CHECK(found(turned)->samples == BlockSamples{1, 2, false, true, 58});
}

TEST_CASE("sample headers: NIfTI has rows and planes, in either order of bytes") {
  for (const bool big : {false, true}) {
    Made made(big);
    made.number(348, 4).up_to(40).number(3, 2).number(20, 2).number(10, 2).number(4, 2);
    made.up_to(70).number(4, 2).number(16, 2).up_to(108).number(0x43b00000, 4);  // 352
    made.up_to(344).word("n+1");
    const auto header = found(made);
    REQUIRE(header);
    CHECK(header->samples == BlockSamples{1, 2, big, true, 352});
    CHECK(header->row == 40);
    CHECK(header->plane == 400);
  }
  Made second;
  second.number(540, 4).word("n+2").up_to(12).number(512, 2).up_to(16).number(2, 8);
  second.number(30, 8).number(5000, 8).up_to(168).number(544, 8).up_to(544);
  CHECK(found(second)->samples == BlockSamples{1, 2, false, false, 544});
  CHECK(found(second)->row == 60);
  CHECK(found(second)->plane == 0);  // there are no two of them
}

TEST_CASE("sample headers: DICOM is walked through, sequences and all, to pixels or waves") {
  const auto element = [](Made& made, std::uint64_t tag, std::string_view type,
                          std::uint64_t value) {
    made.number(tag >> 16, 2).number(tag & 0xffff, 2).word(type).number(2, 2).number(value, 2);
  };
  Made scan;
  scan.up_to(128).word("DICM");
  element(scan, 0x00020010, "UI", 7);
  scan.number(0x0008, 2).number(0x1140, 2).word("SQ").number(0, 2).number(0xffffffff, 4);
  scan.number(0xfffe, 2).number(0xe000, 2).number(10, 4);
  element(scan, 0x00081150, "UI", 9);
  scan.number(0xfffe, 2).number(0xe0dd, 2).number(0, 4);
  element(scan, 0x00280010, "US", 100);
  element(scan, 0x00280011, "US", 60);
  element(scan, 0x00280100, "US", 16);
  element(scan, 0x00280103, "US", 1);
  Made packed = scan;
  scan.number(0x7fe0, 2).number(0x0010, 2).word("OW").number(0, 2).number(3000, 4);
  const auto header = found(scan);
  REQUIRE(header);
  CHECK(header->samples.bytes == 2);
  CHECK(header->samples.negative);
  CHECK(header->samples.offset + 4000 == scan.text().size());
  CHECK(header->row == 120);
  packed.number(0x7fe0, 2).number(0x0010, 2).word("OW").number(0, 2).number(0xffffffff, 4);
  CHECK_FALSE(found(packed));

  Made waves;  // whose elements do not name their types
  waves.up_to(128).word("DICM");
  waves.number(0x003a, 2).number(0x0005, 2).number(2, 4).number(12, 2);
  waves.number(0x5400, 2).number(0x1004, 2).number(2, 4).number(16, 2);
  waves.number(0x5400, 2).number(0x1006, 2).number(2, 4).word("SS");
  waves.number(0x5400, 2).number(0x1010, 2).number(3000, 4);
  REQUIRE(found(waves));
  CHECK(found(waves)->samples.channels == 12);
  CHECK(found(waves)->samples.negative);
  CHECK(found(waves)->row == 0);
}

TEST_CASE("sample headers: PNM of two bytes a sample is a raster") {
  const auto grey = found(Made().word("P5 # deep\n30 40 65535\n"));
  REQUIRE(grey);
  CHECK(grey->samples == BlockSamples{1, 2, true, false, 22});
  CHECK(grey->row == 60);
  CHECK(grey->plane == 0);
  CHECK(found(Made().word("P6 30 20 1023\n"))->row == 180);
  CHECK_FALSE(found(Made().word("P5 30 40 255\n")));
  CHECK_FALSE(found(Made().word("P5 3 40 65535\n")));
  CHECK_FALSE(found(Made().word("any text, of any length")));
}

}  // namespace logpx::sample_headers_test
