// Text as blocks of symbols of an alphabet.
#include "formats/import/array.hpp"
#include "formats/import/blocks.hpp"
#include "formats/import/characters.hpp"
#include "formats/import/importer.hpp"
#include "formats/import/spool.hpp"
#include "formats/import/symbol_table.hpp"
#include "libcore/base/error.hpp"
#include "libcore/data/splits.hpp"

#include <algorithm>

namespace logpx {
namespace {

// A SeekableBytes from its beginning, so that a text can be read twice.
class SeekableStream final : public ByteStream {
 public:
  explicit SeekableStream(ByteSource source) : bytes_(std::move(source)) {}
  [[nodiscard]] const std::string& name() const override { return bytes_.name(); }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return bytes_.size(); }
  [[nodiscard]] std::size_t read(std::span<std::byte> out) override {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), bytes_.size() - at_));
    bytes_.read_at(at_, out.first(count));
    at_ += count;
    return count;
  }
  [[nodiscard]] std::optional<SourceFile> finish() override { return bytes_.record(); }
  void rewind() { at_ = 0; }

 private:
  SeekableBytes bytes_;
  std::uint64_t at_ = 0;
};

// Where the last part of --split-chars ends when its count is `rest`.
constexpr std::int64_t open_end = std::int64_t{1} << 62;

using Streams = std::vector<std::unique_ptr<ByteStream>>;

// Opens every text twice over: once for its characters, and again to read it.
Streams collect_alphabet(Inputs& inputs, SymbolTable& table) {
  Streams streams;
  std::vector<std::byte> buffer(256 * 1024);
  CharacterSet seen;
  for (Input& input : inputs) {
    auto stream = std::make_unique<SeekableStream>(input.open());
    Utf8Decoder decoder;
    const auto note = [&](const Character& c) { seen.add(c, stream->name()); };
    while (const std::size_t got = stream->read(buffer))
      decoder.decode(std::span(buffer).first(got), note);
    decoder.finish(note);
    stream->rewind();
    streams.push_back(std::move(stream));
  }
  table = SymbolTable::sorted(seen, inputs[0].name());
  return streams;
}

// How many characters there are is known at the end only, so one cannot ask for shares of them.
std::vector<Split> parts_of(const std::string& spec) {
  if (spec.empty()) return {};
  if (spec.find('%') != std::string::npos)
    fail(ErrorKind::usage, "--split-chars", "takes counts of characters, not shares");
  try {
    return parse_splits(spec, open_end);
  } catch (const Error& error) {
    fail(error.kind(), "--split-chars", error.message());
  }
}

class TextImporter final : public Importer {
 public:
  TextImporter(Streams streams, SymbolTable table, const ImportOptions& options)
      : streams_(std::move(streams)),
        table_(std::move(table)),
        normalize_(options.normalize),
        parts_(parts_of(options.split_chars)),
        cutter_(options.block, table_.size() > 256 ? Element::u16 : Element::u8,
                options.drop_last ? ShortBlocks::drop : ShortBlocks::keep) {
    info_ = symbols_info(options.block, table_.size());
    info_.alphabet = table_.codes();
    info_.has_lengths = !options.drop_last;
  }

  [[nodiscard]] bool next(Rows& rows) override {
    std::vector<std::byte> buffer(64 * 1024);
    while (current_ < streams_.size() && !cutter_.is_ready()) {
      const std::size_t got = streams_[current_]->read(buffer);
      take(std::span(buffer).first(got));
      if (got < buffer.size()) end_text();
    }
    rows = cutter_.take();
    if (rows.count > 0) return true;
    info_.n = cutter_.blocks();
    info_.has_lengths = cutter_.any_short();
    if (info_.n == 0) fail(ErrorKind::data, streams_[0]->name(), "no symbols to pack");
    if (next_part_ < parts_.size())
      fail(ErrorKind::usage, "",
           "--split-chars needs " + std::to_string(parts_.back().end) +
               " characters, the data have " + std::to_string(characters_));
    return false;
  }

  [[nodiscard]] ImportRecord finish_inputs() override {
    for (const auto& stream : streams_)
      if (auto source = stream->finish()) record_.sources.push_back(std::move(*source));
    if (cutter_.dropped() > 0)
      record_.notes.push_back(std::to_string(cutter_.dropped()) +
                              " characters of short blocks dropped");
    return std::move(record_);
  }

 private:
  void take(std::span<const std::byte> piece) {
    if (table_.is_bytes()) {
      for (const std::byte byte : piece) put(std::to_integer<std::uint16_t>(byte));
      return;
    }
    decoder_.decode(piece, [this](const Character& c) { put(c); });
  }

  void put(const Character& c) {
    if (normalize_ == Normalize::none) return put(table_.symbol(c, streams_[current_]->name()));
    normalized_.clear();
    normalizer_.put(c.code, normalized_);
    for (const char letter : normalized_) put(SymbolTable::text27_symbol(letter));
  }

  void put(std::uint16_t symbol) {
    cutter_.put(symbol);
    ++characters_;
    while (next_part_ < parts_.size() && characters_ == parts_[next_part_].end) end_part();
  }

  void end_part() {
    cutter_.flush();
    const std::int64_t begin = info_.splits.empty() ? 0 : info_.splits.back().end;
    info_.splits.push_back({parts_[next_part_++].name, begin, cutter_.blocks()});
  }

  void end_text() {
    decoder_.finish([this](const Character& c) { put(c); });
    decoder_ = {};
    normalizer_.begin_text();
    if (++current_ < streams_.size()) return;
    if (next_part_ < parts_.size() && parts_[next_part_].end == open_end) end_part();
    cutter_.flush();
  }

  Streams streams_;
  SymbolTable table_;
  Normalize normalize_;
  std::vector<Split> parts_;  // of characters
  std::size_t next_part_ = 0, current_ = 0;
  std::int64_t characters_ = 0;
  BlockCutter cutter_;
  Utf8Decoder decoder_;
  Text8Normalizer normalizer_;
  std::string normalized_;
};

}  // namespace

std::unique_ptr<Importer> open_text(Inputs inputs, const ImportOptions& options) {
  SymbolTable table = SymbolTable::text27();
  Streams streams;
  if (options.alphabet == "auto") {
    streams = collect_alphabet(inputs, table);
  } else {
    if (options.alphabet == "bytes") table = SymbolTable::bytes();
    else if (options.alphabet != "text27") table = SymbolTable::listed_in(options.alphabet);
    for (Input& input : inputs) streams.push_back(std::make_unique<ByteSource>(input.open()));
  }
  return std::make_unique<TextImporter>(std::move(streams), std::move(table), options);
}

}  // namespace logpx
