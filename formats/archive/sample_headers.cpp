#include "formats/archive/sample_headers.hpp"

#include "formats/archive/layout.hpp"

#include <algorithm>
#include <string_view>

namespace logpx::archive {
namespace {

constexpr std::uint64_t most_sample_channels = 32, most_sample_bytes = 3;

// Numbers of a file at any place, 0 behind its end.
class Numbers {
 public:
  enum class Order { little, big };
  Numbers(ByteView file, Order order) : file_(file), order_(order) {}
  [[nodiscard]] std::uint64_t at(std::size_t place, std::size_t bytes) const {
    if (place > file_.size() || bytes > file_.size() - place) return 0;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      value = value << 8 | std::to_integer<std::uint64_t>(
                               file_[place + (order_ == Order::big ? i : bytes - 1 - i)]);
    return value;
  }
  [[nodiscard]] std::uint64_t u16(std::size_t place) const { return at(place, 2); }
  [[nodiscard]] std::uint64_t u32(std::size_t place) const { return at(place, 4); }
  [[nodiscard]] std::string_view word(std::size_t place, std::size_t size) const {
    if (place > file_.size() || size > file_.size() - place) return {};
    return {reinterpret_cast<const char*>(file_.data()) + place, size};
  }
  [[nodiscard]] bool is_big() const { return order_ == Order::big; }
  [[nodiscard]] std::size_t size() const { return file_.size(); }

 private:
  ByteView file_;
  Order order_;
};

// What headers say before it is looked at.
struct Said {
  std::uint64_t channels = 1, bits = 0, offset = 0, width = 0, height = 0;
  bool big_endian = false, negative = false;
};

std::optional<SampleHeader> checked(const Said& said, std::size_t file) {
  const std::uint64_t bytes = said.bits / 8, frame = said.channels * bytes;
  if (said.bits % 8 != 0 || bytes < 1 || bytes > most_sample_bytes || said.channels < 1 ||
      said.channels > most_sample_channels || said.offset >= file)
    return std::nullopt;
  SampleHeader header{.samples = {.channels = static_cast<std::uint8_t>(said.channels),
                                  .bytes = static_cast<std::uint8_t>(bytes),
                                  .big_endian = said.big_endian,
                                  .negative = said.negative,
                                  .offset = static_cast<std::uint32_t>(said.offset)}};
  if (said.width == 0) return header;
  if (said.width < 8 || said.width > max_block_bytes / frame) return std::nullopt;
  header.row = static_cast<std::uint32_t>(said.width * frame);
  const std::uint64_t samples = file - said.offset;
  if (said.height > 1 && said.height <= samples / header.row / 2)
    header.plane = static_cast<std::uint32_t>(said.height * header.row);
  return header;
}

// Chunks of a file of RIFF or IFF: visit(name, place) for those in front of the one of samples.
// Where this begins, or the end of the file.
template <typename Visit>
std::size_t find_chunk(const Numbers& in, std::string_view of_samples, const Visit& visit) {
  for (std::size_t at = 12; at + 8 <= in.size();) {
    if (in.word(at, 4) == of_samples) return at + 8;
    visit(in.word(at, 4), at + 8);
    const std::uint64_t size = in.u32(at + 4);
    at += 8 + size + size % 2;
  }
  return in.size();
}

std::optional<SampleHeader> find_deep_pnm(ByteView file) {
  const auto pnm = read_pnm_header(file);
  if (!pnm || pnm->greatest < 256 || pnm->greatest > 65535 || pnm->width < 1) return std::nullopt;
  return checked({.channels = static_cast<std::uint64_t>(pnm->channels),
                  .bits = 16,
                  .offset = pnm->bytes,
                  .width = static_cast<std::uint64_t>(pnm->width),
                  .big_endian = true},
                 file.size());
}

std::optional<SampleHeader> find_wav(ByteView file) {
  const Numbers in(file, Numbers::Order::little);
  if (in.word(0, 4) != "RIFF" || in.word(8, 4) != "WAVE") return std::nullopt;
  constexpr std::uint64_t plain = 1, extensible = 0xfffe;
  Said said;
  said.offset = find_chunk(in, "data", [&](std::string_view name, std::size_t at) {
    if (name == "fmt ") {
      const std::uint64_t format = in.u16(at) == extensible ? in.u16(at + 24) : in.u16(at);
      said.channels = in.u16(at + 2);
      said.bits = format == plain ? (in.u16(at + 14) + 7) / 8 * 8 : 0;
    }
  });
  said.negative = said.bits > 8;
  return checked(said, file.size());
}

std::optional<SampleHeader> find_aiff(ByteView file) {
  const Numbers in(file, Numbers::Order::big);
  const bool plain = in.word(8, 4) == "AIFF";
  if (in.word(0, 4) != "FORM" || (!plain && in.word(8, 4) != "AIFC")) return std::nullopt;
  Said said{.big_endian = true, .negative = true};
  said.offset = 8 + find_chunk(in, "SSND", [&](std::string_view name, std::size_t at) {
                  if (name == "COMM") {
                    const std::string_view coding = plain ? "NONE" : in.word(at + 18, 4);
                    said.channels = in.u16(at);
                    said.bits =
                        coding == "NONE" || coding == "sowt" ? (in.u16(at + 6) + 7) / 8 * 8 : 0;
                    said.big_endian = coding != "sowt";
                  }
                });
  return checked(said, file.size());
}

// Both versions, in either order of bytes.
std::optional<SampleHeader> find_nifti(ByteView file) {
  constexpr std::uint64_t header_1 = 348, header_2 = 540, of_int16 = 4, of_uint16 = 512;
  for (const auto order : {Numbers::Order::little, Numbers::Order::big}) {
    const Numbers in(file, order);
    const std::uint64_t header = in.u32(0);
    const bool first = header == header_1 && in.word(344, 2) == "n+",
               second = header == header_2 && in.word(4, 2) == "n+";
    if (!first && !second) continue;
    const std::uint64_t type = in.u16(first ? 70 : 12);
    if (type != of_int16 && type != of_uint16) return std::nullopt;
    Said said{.bits = 16, .big_endian = in.is_big(), .negative = type == of_int16};
    said.width = first ? in.u16(42) : in.at(24, 8);
    said.height = first ? in.u16(44) : in.at(32, 8);
    // The first version has a float there: a whole number below 2^23.
    const std::uint64_t place = first ? in.u32(108) : in.at(168, 8);
    if (first && (place >> 23 < 127 || place >> 23 > 149)) return std::nullopt;
    said.offset = first ? ((place & 0x7fffff) | 0x800000) >> (150 - (place >> 23)) : place;
    return checked(said, file.size());
  }
  return std::nullopt;
}

// The elements of a DICOM file, those within others, too.
class DicomElements {
 public:
  explicit DicomElements(ByteView file) : in_(file, Numbers::Order::little) {}

  std::optional<Said> find() {
    for (at_ = 132; at_ + 8 <= in_.size();) {
      const std::uint64_t tag = in_.u16(at_) << 16 | in_.u16(at_ + 2);
      if (tag > file_meta && !has_types_.has_value()) has_types_ = has_type(at_);
      const Element element = read_head(tag);
      if (element.tag == pixels || element.tag == waveform) {
        if (element.size == unknown) return std::nullopt;  // compressed
        said_.offset = at_;
        if (element.tag == waveform) said_.width = said_.height = 0;
        return said_;
      }
      note(element);
      if (element.size == unknown || element.holds_others) continue;
      if (element.size > in_.size() - at_) return std::nullopt;
      at_ += element.size;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t file_meta = 0x0002ffff, pixels = 0x7fe00010, waveform = 0x54001010,
                                 unknown = 0xffffffff, sequence_parts = 0xfffe;
  struct Element {
    std::uint64_t tag = 0, size = 0;
    bool holds_others = false;
  };

  [[nodiscard]] bool has_type(std::size_t at) const {
    return std::ranges::all_of(in_.word(at + 4, 2), [](char c) { return c >= 'A' && c <= 'Z'; });
  }
  // Leaves `at_` behind the head.
  Element read_head(std::uint64_t tag) {
    Element element{.tag = tag};
    const bool part = tag >> 16 == sequence_parts;
    if (part || (tag > file_meta && !has_types_.value_or(true))) {
      element.size = in_.u32(at_ + 4);
      element.holds_others = part;
      at_ += 8;
      return element;
    }
    const std::string_view type = in_.word(at_ + 4, 2);
    constexpr std::string_view long_types = "OB OD OF OL OV OW SQ SV UC UN UR UT UV";
    element.holds_others = type == "SQ";
    const bool is_long = long_types.find(type) != long_types.npos;
    element.size = is_long ? in_.u32(at_ + 8) : in_.u16(at_ + 6);
    at_ += is_long ? 12 : 8;
    return element;
  }
  void note(const Element& element) {
    const std::uint64_t value = in_.u16(at_);
    switch (element.tag) {
      case 0x00280002:
      case 0x003a0005: said_.channels = value; break;
      case 0x00280010: said_.height = value; break;
      case 0x00280011: said_.width = value; break;
      case 0x00280100:
      case 0x54001004: said_.bits = value; break;
      case 0x00280103: said_.negative = value != 0; break;
      case 0x54001006: said_.negative = in_.word(at_, 1) == "S"; break;
      default: break;
    }
  }

  Numbers in_;
  std::size_t at_ = 0;
  std::optional<bool> has_types_;  // whether elements name their types, behind those of the file
  Said said_;
};

std::optional<SampleHeader> find_dicom(ByteView file) {
  if (file.size() < 132 || Numbers(file, Numbers::Order::little).word(128, 4) != "DICM")
    return std::nullopt;
  const auto said = DicomElements(file).find();
  // Rasters of a byte a sample are seen as such.
  if (!said || (said->bits <= 8 && said->width > 0)) return std::nullopt;
  return checked(*said, file.size());
}

}  // namespace

std::optional<SampleHeader> find_samples(ByteView file) {
  for (const auto find : {find_wav, find_aiff, find_nifti, find_dicom, find_deep_pnm})
    if (const auto header = find(file)) return header;
  return std::nullopt;
}

}  // namespace logpx::archive
