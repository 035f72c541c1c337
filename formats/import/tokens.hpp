// Text as subword tokens by byte pair encoding: the two neighbours that are most frequent are
// joined to a new token, again and again. Counts alone decide, so that the same text gives the same
// tokens on every machine. Spaces and line ends belong to tokens like any other character: the
// texts of a row's tokens, one after the other, are the text.   [data/README 6.2]
//
//   TokenPieces pieces;      pieces.put(U'a', take);  pieces.finish(take);   // take("a line\n")
//   const Tokens tokens = Tokens::learned(8192, all_pieces, "book.txt");
//   tokens.cut("a line\n", "book.txt", symbols);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx {

// Cuts a text into pieces that no token crosses: each ends after a line, or before a space where a
// line is long.
class TokenPieces {
 public:
  // All characters but three that SentencePiece keeps for itself: U+0000, U+2581, U+2585.
  [[nodiscard]] static bool takes(char32_t code);
  template <typename Take>
  void put(char32_t code, const Take& take) {
    if (code == U' ' && piece_.size() >= long_piece) give(take);
    append(code);
    if (code == U'\n' || piece_.size() >= longest_piece) give(take);
  }
  template <typename Take>
  void finish(const Take& take) {
    if (!piece_.empty()) give(take);
  }

 private:
  static constexpr std::size_t long_piece = 1024, longest_piece = 4096;  // bytes
  template <typename Take>
  void give(const Take& take) {
    take(piece_);
    piece_.clear();
  }
  void append(char32_t code);

  std::string piece_;
};

class Tokens {
 public:
  // Learns this many tokens from a text in pieces, which messages call `name`. A usage error where
  // this build lacks SentencePiece, or the text has too few or too many characters for them.
  [[nodiscard]] static Tokens learned(std::int64_t count, std::vector<std::string> pieces,
                                      const std::string& name);
  // The tokens of a model that model() gave; a data error for anything else.
  [[nodiscard]] static Tokens of_model(std::string model, const std::string& name);
  Tokens(Tokens&&) noexcept;
  ~Tokens();

  [[nodiscard]] const std::string& model() const { return model_; }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  // Appends the tokens of a piece of the text `name`; a data error for characters that no token
  // has.
  void cut(const std::string& piece, const std::string& name,
           std::vector<std::uint16_t>& symbols) const;

 private:
  struct Processor;
  Tokens(std::unique_ptr<Processor> processor, std::string model);

  std::unique_ptr<Processor> processor_;
  std::string model_;
  std::vector<std::string> texts_;
};

}  // namespace logpx
