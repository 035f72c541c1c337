// Text as blocks of symbols: letters of an alphabet, or tokens.
#include "formats/dataset_file.hpp"
#include "formats/import/array.hpp"
#include "formats/import/blocks.hpp"
#include "formats/import/characters.hpp"
#include "formats/import/importer.hpp"
#include "formats/import/spool.hpp"
#include "formats/import/symbol_table.hpp"
#include "formats/import/tokens.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/splits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

// The letters of a text: its characters, or what text8 makes of them.
class Letters {
 public:
  explicit Letters(Normalize normalize) : normalize_(normalize) {}
  // Calls use(Character) for each letter that the character adds.
  template <typename Use>
  void put(const Character& c, const Use& use) {
    if (normalize_ == Normalize::none) return use(c);
    normalized_.clear();
    normalizer_.put(c.code, normalized_);
    Character letter = c;
    for (const char code : normalized_) {
      letter.code = static_cast<char32_t>(code);
      use(letter);
    }
  }
  void begin_text() { normalizer_.begin_text(); }

 private:
  Normalize normalize_;
  Text8Normalizer normalizer_;
  std::string normalized_;
};

// Opens every text twice: first to show each of its letters to look(Character, file), then to read
// it.
template <typename Look>
Streams look_through(Inputs& inputs, Normalize normalize, const Look& look) {
  Streams streams;
  std::vector<std::byte> buffer(256 * 1024);
  Letters letters(normalize);
  for (Input& input : inputs) {
    auto stream = std::make_unique<SeekableStream>(input.open());
    Utf8Decoder decoder;
    const auto visit = [&](const Character& c) {
      letters.put(c, [&](const Character& letter) { look(letter, stream->name()); });
    };
    while (const std::size_t got = stream->read(buffer))
      decoder.decode(std::span(buffer).first(got), visit);
    decoder.finish(visit);
    letters.begin_text();
    stream->rewind();
    streams.push_back(std::move(stream));
  }
  return streams;
}

Streams collect_alphabet(Inputs& inputs, SymbolTable& table) {
  CharacterSet seen;
  Streams streams =
      look_through(inputs, Normalize::none,
                   [&](const Character& c, const std::string& file) { seen.add(c, file); });
  table = SymbolTable::sorted(seen, inputs[0].name());
  return streams;
}

// A data error for characters that tokens cannot hold.
void require_for_tokens(const Character& c, const std::string& file) {
  require_utf8(c, file, "--alphabet bytes without --tokens");
  if (TokenPieces::takes(c.code)) return;
  fail(ErrorKind::data, file + ':' + std::to_string(c.line),
       fmt::format("holds U+{:04X}, which tokens cannot stand for",
                   static_cast<std::uint32_t>(c.code)),
       "--alphabet auto without --tokens");
}

Streams learn_tokens(Inputs& inputs, Normalize normalize, std::int64_t count,
                     std::optional<Tokens>& tokens) {
  std::vector<std::string> pieces;
  TokenPieces cutter;
  const auto keep = [&](const std::string& piece) { pieces.push_back(piece); };
  Streams streams =
      look_through(inputs, normalize, [&](const Character& letter, const std::string& file) {
        require_for_tokens(letter, file);
        cutter.put(letter.code, keep);
      });
  cutter.finish(keep);
  if (pieces.empty()) fail(ErrorKind::data, inputs[0].name(), "no symbols to pack");
  tokens.emplace(Tokens::learned(count, std::move(pieces), inputs[0].name()));
  return streams;
}

// N of "sentencepiece:N"; nothing for a file.
std::optional<std::int64_t> tokens_to_learn(const std::string& text) {
  constexpr std::string_view learned = "sentencepiece:";
  if (text.ends_with(".h5")) return std::nullopt;
  const auto count = text.starts_with(learned) ? parse_integer(text.substr(learned.size()))
                                               : std::optional<std::int64_t>();
  if (!count || *count < 2 || *count > 65536)
    fail(ErrorKind::usage, "--tokens",
         "is '" + text +
             "', expected sentencepiece:N, N from 2 to 65536, or a dataset that has "
             "tokens (FILE.h5)",
         "--tokens sentencepiece:1000");
  return count;
}

Tokens tokens_of_dataset(const std::string& path) {
  const DatasetFile file(path);
  if (file.info().tokenizer.empty())
    fail(ErrorKind::data, path, "has no tokens", "--tokens sentencepiece:1000");
  return Tokens::of_model(file.info().tokenizer, path);
}

// The number of characters is known only at the end, so shares of them cannot be asked for.
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

// The symbols of a text: letters of a table, or tokens.
struct TextSymbols {
  SymbolTable table = SymbolTable::text27();
  std::optional<Tokens> tokens = {};
};

class TextImporter final : public Importer {
 public:
  TextImporter(Streams streams, TextSymbols symbols, const ImportOptions& options)
      : streams_(std::move(streams)),
        table_(std::move(symbols.table)),
        tokens_(std::move(symbols.tokens)),
        letters_(options.normalize),
        parts_(parts_of(options.split_chars)),
        cutter_(options.block, size() > 256 ? Element::u16 : Element::u8,
                options.drop_last ? ShortBlocks::drop : ShortBlocks::keep) {
    info_ = symbols_info(options.block, size());
    if (tokens_) info_.tokens = tokens_->texts(), info_.tokenizer = tokens_->model();
    else info_.alphabet = table_.codes();
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
                              (tokens_ ? " tokens" : " characters") + " of short blocks dropped");
    return std::move(record_);
  }

 private:
  [[nodiscard]] std::int64_t size() const {
    return tokens_ ? std::ssize(tokens_->texts()) : table_.size();
  }

  void take(std::span<const std::byte> bytes) {
    if (tokens_ || !table_.is_bytes())
      return decoder_.decode(bytes, [this](const Character& c) { put(c); });
    for (const std::byte byte : bytes) {
      cutter_.put(std::to_integer<std::uint16_t>(byte));
      count_character();
    }
  }

  void put(const Character& c) {
    const std::string& file = streams_[current_]->name();
    letters_.put(c, [&](const Character& letter) {
      if (tokens_) put_into_piece(letter, file);
      else cutter_.put(table_.symbol(letter, file));
      count_character();
    });
  }

  void put_into_piece(const Character& letter, const std::string& file) {
    require_for_tokens(letter, file);
    pieces_.put(letter.code, [this](const std::string& piece) { cut(piece); });
  }

  void cut(const std::string& piece) {
    symbols_.clear();
    tokens_->cut(piece, streams_[current_]->name(), symbols_);
    for (const std::uint16_t symbol : symbols_) cutter_.put(symbol);
  }

  // Ends the piece and the block.
  void flush() {
    pieces_.finish([this](const std::string& piece) { cut(piece); });
    cutter_.flush();
  }

  void count_character() {
    ++characters_;
    while (next_part_ < parts_.size() && characters_ == parts_[next_part_].end) end_part();
  }

  void end_part() {
    flush();
    const std::int64_t begin = info_.splits.empty() ? 0 : info_.splits.back().end;
    info_.splits.push_back({parts_[next_part_++].name, begin, cutter_.blocks()});
  }

  void end_text() {
    decoder_.finish([this](const Character& c) { put(c); });
    decoder_ = {};
    letters_.begin_text();
    if (current_ + 1 == streams_.size()) {
      if (next_part_ < parts_.size() && parts_[next_part_].end == open_end) end_part();
      flush();
    }
    ++current_;
  }

  Streams streams_;
  SymbolTable table_;
  std::optional<Tokens> tokens_;
  Letters letters_;
  std::vector<Split> parts_;  // of characters
  std::size_t next_part_ = 0, current_ = 0;
  std::int64_t characters_ = 0;
  BlockCutter cutter_;
  Utf8Decoder decoder_;
  TokenPieces pieces_;
  std::vector<std::uint16_t> symbols_;  // of a piece
};

std::unique_ptr<Importer> open_text(Inputs inputs, const ImportOptions& options) {
  Inputs files = unpacked(std::move(inputs), options.members);
  TextSymbols symbols;
  Streams streams;
  const bool tokens = !options.tokens.empty();
  const auto learned = tokens ? tokens_to_learn(options.tokens) : std::optional<std::int64_t>();
  if (learned) {
    streams = learn_tokens(files, options.normalize, *learned, symbols.tokens);
  } else if (!tokens && options.alphabet == "auto") {
    streams = collect_alphabet(files, symbols.table);
  } else {
    if (tokens) symbols.tokens.emplace(tokens_of_dataset(options.tokens));
    else if (options.alphabet == "bytes") symbols.table = SymbolTable::bytes();
    else if (options.alphabet != "text27") symbols.table = SymbolTable::listed_in(options.alphabet);
    for (Input& file : files) streams.push_back(std::make_unique<ByteSource>(file.open()));
  }
  return std::make_unique<TextImporter>(std::move(streams), std::move(symbols), options);
}

}  // namespace

namespace foreign {

ImportFormat text() {
  return {.word = "text",
          .says = "texts, as symbols of an alphabet",
          .options = {"members", "alphabet", "tokens", "normalize", "split-chars", "block",
                      "drop-last"},
          .open = open_text};
}

}  // namespace foreign
}  // namespace logpx
