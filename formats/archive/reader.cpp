#include "formats/archive/reader.hpp"

#include "formats/file/signature.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <array>

namespace logpx::archive {
namespace {

constexpr std::uint64_t read_step = 1 << 20;

}  // namespace

void damaged(const std::string& place, const std::string& reason, const std::string& hint) {
  fail(ErrorKind::data, place, reason, hint);
}

std::size_t RecordSource::fill(std::span<std::byte> out) {
  const std::size_t count = supply_(out);
  offset_ += count;
  return count;
}

ByteVector RecordSource::take(std::uint64_t size, const std::string& what) {
  ByteVector bytes;
  while (bytes.size() < size) {
    const std::size_t before = bytes.size();
    bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size, before + read_step)));
    const std::size_t wanted = bytes.size() - before;
    if (fill(std::span(bytes).subspan(before)) < wanted)
      damaged(what, "is cut short", "the archive is incomplete");
  }
  return bytes;
}

std::uint32_t RecordSource::pass(std::uint64_t size, const std::string& what,
                                 std::uint32_t before) {
  for (std::uint64_t left = size; left > 0;) {
    const ByteVector bytes = take(std::min(left, read_step), what);
    before = crc32_of(bytes, before);
    left -= bytes.size();
  }
  return before;
}

namespace {

std::string version_text(int major, int minor) {
  return std::to_string(major) + '.' + std::to_string(minor);
}

}  // namespace

void refuse_older(std::uint16_t major, std::uint16_t minor) {
  damaged("header",
          "has format version " + version_text(major, minor) +
              ", made by a version of logpx before 0.1.0, which was never released",
          "that version decodes it; the oldest that is read here is " +
              version_text(format_major, first_minor));
}

namespace {

// Counts brackets outside strings, which set the depth of the parser's recursion.
void check_depth(const std::string& text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      else quoted = c != '"';
    } else if (c == '"') quoted = true;
    else if (c == '[' || c == '{') {
      if (++depth > max_json_depth) damaged("header", "parameters are nested too deeply");
    } else if (c == ']' || c == '}') --depth;
  }
}

void check_magic(ByteView found) {
  if (std::ranges::equal(found, bytes_of(format_magic))) return;
  static constexpr std::array<std::string_view, 2> mangled = {"\x89LPX\n\x1a\n",
                                                              "\x89LPX\r\r\n\x1a"};
  for (const std::string_view text : mangled)
    if (std::ranges::equal(found.first(std::min(text.size(), found.size())),
                           bytes_of(text).first(std::min(text.size(), found.size()))))
      damaged("", "was changed by a transfer in text mode", "fetch it again in binary mode");
  const Signature* const kind = find_signature(found);
  const std::string is = kind == nullptr ? "is " : "is " + std::string(kind->called) + ", ";
  damaged("", is + "not an .lpx archive", "bits-back-encode makes them");
}

}  // namespace

Json parse_parameters(ByteView bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  check_depth(text);
  Json value;
  try {
    value = Json::parse(text, "parameters");
  } catch (const Error&) {
    damaged("header", "parameters are not JSON");
  }
  if (!value.is_object() || canonical_json(value) != text)
    damaged("header", "parameters are not in canonical form");
  return value;
}

std::optional<Item> ArchiveReader::next() {
  if (!records_) return header();
  if (auto item = records_->next()) return item;
  records_.reset();
  return header();
}

std::optional<Item> ArchiveReader::header() {
  std::array<std::byte, 12> begun{};
  const std::size_t got = source_.fill(begun);
  const ByteView first = ByteView(begun).first(std::min(got, format_magic.size()));
  if (got == 0 && any_) return std::nullopt;
  if (got == 0) damaged("", "is empty, expected an .lpx archive");
  if (any_ && !std::ranges::equal(first, bytes_of(format_magic).first(first.size())))
    damaged("", "has other bytes after its end");
  check_magic(first);
  if (got < begun.size()) damaged("header", "is cut short", "the archive is incomplete");
  WireReader fields(ByteView(begun).subspan(format_magic.size()), "header");
  const std::uint16_t major = fields.u16(), minor = fields.u16();
  if (major > format_major || (major == format_major && minor > format_minor))
    damaged("header",
            "has format version " + version_text(major, minor) + ", known are " +
                version_text(format_major, first_minor) + " to " +
                version_text(format_major, format_minor),
            "a newer logpx may read it");
  if (major < format_major || (minor < first_minor && minor != plain_minor))
    refuse_older(major, minor);
  any_ = true;
  records_.emplace(source_, minor, model_limit_);
  return records_->header(begun);
}

}  // namespace logpx::archive
