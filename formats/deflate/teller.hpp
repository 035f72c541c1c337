// The walk that undoing and redoing a stream share: at each step what is foretold, and the decision
// whether the stream has that. Undoing brings the truth along; redoing passes anything and takes
// what is returned.
#pragma once

#include "formats/deflate/decisions.hpp"
#include "formats/deflate/foreteller.hpp"
#include "formats/deflate/trees.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx::deflate {

enum class BlockKind : std::uint8_t { stored, fixed, dynamic };

// What a block says besides its tokens.
struct BlockHead {
  BlockKind kind = BlockKind::dynamic;
  bool last = false;
  std::uint8_t padding = 0;        // the bits before a stored block's size, which are 0
  std::uint16_t stored_bytes = 0;  // of a stored block
  Trees trees = {};                // of a dynamic one
};

// A block with as many tokens must be fixed: nobody has to keep them until its trees are known.
constexpr std::size_t most_tokens = std::size_t{1} << 20;

// A block up to here: what zlib asks to decide whether it ends.
struct BlockSoFar {
  std::size_t start = 0, last_start = 0;  // positions: of the block, and of its last token
  std::uint32_t tokens = 0, matches = 0;
  std::uint64_t distance_bits = 0;
  bool last_is_match = false;

  void add(Token token, std::size_t position);
  [[nodiscard]] bool is_full(const Parameters& parameters) const;
  [[nodiscard]] bool ends(const Parameters& parameters) const;
};

class Teller {
 public:
  Teller(const Parameters& parameters, Decisions& decisions);

  void add(std::span<const std::uint8_t> content);
  void end_content();
  // Whether a step may be taken; before a stored block there must be its content as well.
  [[nodiscard]] bool ready(std::size_t stored_bytes = 0) const;
  [[nodiscard]] bool at_end() const { return foreteller_.at_end(); }

  // Begins a block; head() says whether it is stored.
  void begin(const BlockHead& truth);
  // One token of a coded block, or its end; of a stored one whatever is foretold, or its end.
  [[nodiscard]] Token step(Token truth);
  // After the end of the block, and for a long one from its token most_tokens on: all of it.
  [[nodiscard]] const BlockHead& head() const { return head_; }
  [[nodiscard]] bool is_long() const { return block_.tokens >= most_tokens; }
  // After the last block: what fills its last byte.
  [[nodiscard]] std::uint8_t code_padding(std::uint8_t truth);

  // The content of the last step.
  [[nodiscard]] std::span<const std::uint8_t> stepped() const;

  [[nodiscard]] std::uint64_t position() const { return dropped_ + foreteller_.position(); }
  [[nodiscard]] std::uint64_t content_bytes() const { return dropped_ + text_.size(); }
  [[nodiscard]] std::uint64_t others() const { return others_; }
  [[nodiscard]] std::uint64_t other_blocks() const { return other_blocks_; }
  // Links followed and bytes compared, a block counting as 16,384; and whether these are too many.
  [[nodiscard]] std::uint64_t steps() const;
  [[nodiscard]] bool overworked() const;

 private:
  [[nodiscard]] Token coded_step(Token truth);
  [[nodiscard]] Token stored_step();
  [[nodiscard]] std::size_t flag_context(Token told) const;
  [[nodiscard]] Token other_token(Token told, Token truth);
  [[nodiscard]] unsigned other_length(Token told, Token truth);
  [[nodiscard]] unsigned other_distance(Token told, unsigned length, unsigned truth);
  void take(Token token);
  void begin_stored();
  void end_coded();
  void code_last();
  [[nodiscard]] bool stored_as_foretold(std::size_t bytes) const;
  void drop();

  Parameters parameters_;
  Decisions& decisions_;
  Foreteller foreteller_;
  std::vector<std::uint8_t> text_;
  std::uint64_t dropped_ = 0, blocks_ = 0, others_ = 0, other_blocks_ = 0;
  Ends ends_ = Ends::later;
  BlockHead truth_, head_;
  BlockSoFar block_;
  SymbolCounts counts_;
  std::optional<std::size_t> stored_end_;  // nothing: where a block is foretold to end
  std::size_t stepped_ = 0;                // bytes
  std::size_t recent_ = 0;                 // which of the last tokens were not as foretold
  std::size_t before_ = 0;                 // whether the block before was stored
  std::uint16_t last_stored_ = 0;
};

}  // namespace logpx::deflate
