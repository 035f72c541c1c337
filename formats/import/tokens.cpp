#include "formats/import/tokens.hpp"

#include "formats/draw/unicode.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <utility>

#if LOGPX_HAVE_SENTENCEPIECE
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <string_view>
#endif

namespace logpx {

namespace {

constexpr char32_t space_mark = 0x2581;     // in tokens, in the place of a space
constexpr char32_t learners_mark = 0x2585;  // lines that hold it are not learned from

}  // namespace

void TokenPieces::append(char32_t code) { piece_ += draw::utf8_of(code); }

bool TokenPieces::takes(char32_t code) {
  return code != 0 && code != space_mark && code != learners_mark;
}

#if LOGPX_HAVE_SENTENCEPIECE

namespace {

constexpr const char* foreign = "\ufffd";  // the text of token 0, which no packed text has
constexpr int foreign_token = 0;

class PieceIterator final : public sentencepiece::SentenceIterator {
 public:
  explicit PieceIterator(const std::vector<std::string>& pieces) : pieces_(pieces) {}
  [[nodiscard]] bool done() const override { return next_ == pieces_.size(); }
  void Next() override { ++next_; }
  [[nodiscard]] const std::string& value() const override { return pieces_[next_]; }
  [[nodiscard]] sentencepiece::util::Status status() const override { return {}; }

 private:
  const std::vector<std::string>& pieces_;
  std::size_t next_ = 0;
};

// SentencePiece's message without the place in its sources.
std::string reason_of(const sentencepiece::util::Status& status) {
  const std::string text = status.ToString();
  const std::size_t place = text.find("] ");
  return place == std::string::npos ? text : text.substr(place + 2);
}

std::optional<std::int64_t> number_behind(std::string_view words, const std::string& text) {
  const std::size_t place = text.find(words);
  if (place == std::string::npos) return std::nullopt;
  const std::string rest = text.substr(place + words.size());
  return parse_integer(rest.substr(0, rest.find_first_not_of("0123456789")));
}

[[noreturn]] void fail_learning(const std::string& name, std::int64_t count,
                                const std::string& reason) {
  const auto refuse = [&](const std::string& bound, std::int64_t instead) {
    fail(ErrorKind::usage, "--tokens",
         name + bound + std::to_string(instead) + " tokens, not " + std::to_string(count),
         "--tokens sentencepiece:" + std::to_string(instead));
  };
  if (const auto least = number_behind(" vs ", reason)) refuse(" needs at least ", *least);
  if (const auto most = number_behind(" value <= ", reason)) refuse(" gives at most ", *most);
  fail(ErrorKind::usage, "--tokens",
       name + " does not give " + std::to_string(count) + " tokens: " + reason);
}

// A message of Protocol Buffers, field by field.
class MessageFields {
 public:
  struct Field {
    std::uint64_t number = 0, value = 0;
    std::string_view bytes = {};
  };
  explicit MessageFields(std::string_view message) : rest_(message) {}
  // Nothing at the end, and where this is no message.
  [[nodiscard]] std::optional<Field> next() {
    if (rest_.empty() || broken_) return std::nullopt;
    const std::uint64_t key = varint();
    Field field{.number = key >> 3};
    switch (key & 7) {
      case 0: field.value = varint(); break;
      case 1: static_cast<void>(take(8)); break;
      case 2: field.bytes = take(varint()); break;
      case 5: static_cast<void>(take(4)); break;
      default: broken_ = true;
    }
    return broken_ ? std::nullopt : std::optional(field);
  }
  [[nodiscard]] bool broken() const { return broken_; }

 private:
  std::string_view take(std::uint64_t bytes) {
    broken_ = broken_ || bytes > rest_.size();
    if (broken_) return {};
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::string_view byte = take(1);
      if (broken_) return 0;
      value |= std::uint64_t{static_cast<unsigned char>(byte[0]) & 127u} << shift;
      if ((byte[0] & 128) == 0) return value;
    }
    broken_ = true;
    return 0;
  }

  std::string_view rest_;
  bool broken_ = false;
};

template <typename Holds>
bool all_fields(std::string_view message, const Holds& holds) {
  MessageFields fields(message);
  while (const auto field = fields.next())
    if (!holds(*field)) return false;
  return !fields.broken();
}

// Joins of pairs alone, of texts as they are, and no token without a text: SentencePiece follows
// the tables of other models without a look at their bounds, and may throw what is not its own.
bool is_learned_here(std::string_view model) {
  using Field = MessageFields::Field;
  constexpr std::uint64_t token = 1, learner = 2, normaliser = 3, denormaliser = 5;
  bool pairs = false, named = false;
  const auto of_token = [&](const Field& field) {
    constexpr std::uint64_t text = 1;
    if (field.number == text) named = !field.bytes.empty();
    return true;
  };
  const auto of_learner = [&](const Field& field) {
    constexpr std::uint64_t model_type = 3, byte_pairs = 2;
    pairs = pairs || field.number == model_type;
    return field.number != model_type || field.value == byte_pairs;
  };
  const auto of_normaliser = [](const Field& field) {
    constexpr std::uint64_t table = 2;
    return field.number != table || field.bytes.empty();
  };
  return all_fields(model,
                    [&](const Field& field) {
                      named = false;
                      if (field.number == token) return all_fields(field.bytes, of_token) && named;
                      if (field.number == learner) return all_fields(field.bytes, of_learner);
                      return (field.number != normaliser && field.number != denormaliser) ||
                             all_fields(field.bytes, of_normaliser);
                    }) &&
         pairs;
}

bool loads(sentencepiece::SentencePieceProcessor& pieces, const std::string& model) {
  try {
    return pieces.LoadFromSerializedProto(model).ok();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return false;
  }
}

std::string with_spaces(std::string token) {
  const std::string mark = draw::utf8_of(space_mark);
  for (std::size_t at = token.find(mark); at != std::string::npos; at = token.find(mark, at + 1))
    token.replace(at, mark.size(), " ");
  return token;
}

}  // namespace

struct Tokens::Processor {
  sentencepiece::SentencePieceProcessor pieces;
};

Tokens::Tokens(std::unique_ptr<Processor> processor, std::string model)
    : processor_(std::move(processor)), model_(std::move(model)) {
  for (int i = 0; i < processor_->pieces.GetPieceSize(); ++i)
    texts_.push_back(i == foreign_token ? foreign : with_spaces(processor_->pieces.IdToPiece(i)));
}

// A line end is a token of its own and never part of what is learned from. So is a tab, which the
// learner would take for an end, too.
Tokens Tokens::learned(std::int64_t count, std::vector<std::string> pieces,
                       const std::string& name) {
  for (std::string& piece : pieces)
    if (piece.ends_with('\n')) piece.pop_back();
  std::erase_if(pieces, [](const std::string& piece) { return piece.empty(); });
  const bool tabs = std::ranges::any_of(
      pieces, [](const std::string& piece) { return piece.find('\t') != std::string::npos; });
  PieceIterator lines(pieces);
  std::string model;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train({{"model_type", "bpe"},
                                                  {"vocab_size", std::to_string(count)},
                                                  {"character_coverage", "1.0"},
                                                  {"normalization_rule_name", "identity"},
                                                  {"remove_extra_whitespaces", "false"},
                                                  {"add_dummy_prefix", "false"},
                                                  {"unk_id", std::to_string(foreign_token)},
                                                  {"bos_id", "-1"},
                                                  {"eos_id", "-1"},
                                                  {"pad_id", "-1"},
                                                  {"user_defined_symbols", tabs ? "\n,\t" : "\n"},
                                                  {"num_threads", "1"},
                                                  {"minloglevel", "3"}},
                                                 &lines, &model);
  if (!status.ok()) fail_learning(name, count, reason_of(status));
  return of_model(std::move(model), name);
}

Tokens Tokens::of_model(std::string model, const std::string& name) {
  auto processor = std::make_unique<Processor>();
  if (!is_learned_here(model) || !loads(processor->pieces, model) ||
      processor->pieces.GetPieceSize() > (1 << 16) || processor->pieces.unk_id() != foreign_token)
    fail(ErrorKind::data, name, "holds no model of byte pairs as pack-data learns it");
  return {std::move(processor), std::move(model)};
}

void Tokens::cut(const std::string& piece, const std::string& name,
                 std::vector<std::uint16_t>& symbols) const {
  std::vector<int> tokens;
  if (!processor_->pieces.Encode(piece, &tokens).ok())
    fail(ErrorKind::data, name, "cannot be cut into tokens");
  if (const auto found = std::ranges::find(tokens, foreign_token); found != tokens.end()) {
    std::vector<std::string> texts;
    processor_->pieces.Encode(piece, &texts).IgnoreError();
    fail(ErrorKind::data, name,
         "holds '" + texts.at(static_cast<std::size_t>(found - tokens.begin())) +
             "', and no token does",
         "--tokens sentencepiece:1000");
  }
  std::string same;
  for (const int token : tokens) same += texts_[static_cast<std::size_t>(token)];
  if (same != piece) fail(ErrorKind::data, name, "does not come back from these tokens");
  symbols.insert(symbols.end(), tokens.begin(), tokens.end());
}

#else

namespace {

[[noreturn]] void fail_without() {
  fail(ErrorKind::usage, "--tokens", "this build makes no tokens (SentencePiece)",
       "build with libsentencepiece-dev, or --alphabet auto without --tokens");
}

}  // namespace

struct Tokens::Processor {};

Tokens Tokens::learned(std::int64_t, std::vector<std::string>, const std::string&) {
  fail_without();
}

Tokens Tokens::of_model(std::string, const std::string&) { fail_without(); }

void Tokens::cut(const std::string&, const std::string&, std::vector<std::uint16_t>&) const {
  fail_without();
}

#endif

Tokens::Tokens(Tokens&&) noexcept = default;
Tokens::~Tokens() = default;

}  // namespace logpx
