// A DEFLATE stream, piece by piece, as heads of blocks, tokens and content. [RFC 1951, 3.2]
#pragma once

#include "formats/deflate/bits.hpp"
#include "formats/deflate/stream_state.hpp"
#include "formats/deflate/symbols.hpp"
#include "formats/deflate/teller.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace logpx::deflate {

class Parser {
 public:
  Parser();
  ~Parser();

  // Returns how many bytes belong to the stream: all, unless it ends in them.
  [[nodiscard]] std::size_t read(std::span<const std::byte> bytes);
  [[nodiscard]] StreamState state() const { return state_; }
  [[nodiscard]] std::uint8_t end_padding() const { return end_padding_; }
  [[nodiscard]] std::uint64_t stream_bytes() const { return stream_bytes_; }

  // What was read and not taken yet: tokens of coded blocks with the end of each, and of all blocks
  // the heads, which come with their first token or byte.
  std::deque<BlockHead> heads;
  std::deque<Token> tokens;
  // Content that was not taken yet.
  [[nodiscard]] std::span<const std::uint8_t> content() const {
    return std::span(text_).subspan(given_);
  }
  void content_taken();

 private:
  class Decoder;
  enum class Step { done, more, wrong };
  [[nodiscard]] Step step(BitReader& bits);
  [[nodiscard]] Step begin_block(BitReader& bits);
  [[nodiscard]] Step begin_stored(BitReader& bits);
  [[nodiscard]] Step begin_dynamic(BitReader& bits);
  [[nodiscard]] Step read_lengths(BitReader& bits, Trees& trees) const;
  [[nodiscard]] Step read_token(BitReader& bits);
  [[nodiscard]] Step copy_stored(BitReader& bits);
  void end_block();
  [[nodiscard]] bool is_worth_it(std::uint64_t stream) const;

  StreamState state_ = StreamState::open;
  std::vector<std::byte> pending_;
  std::size_t bit_at_ = 0;  // in the first byte that is pending
  std::uint64_t stream_bytes_ = 0;
  BlockHead head_;
  enum class Place { between, tokens, stored, padding } place_ = Place::between;
  std::size_t stored_left_ = 0, block_tokens_ = 0;
  std::unique_ptr<Decoder> literals_, distances_;
  std::vector<std::uint8_t> text_;
  std::size_t given_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint8_t end_padding_ = 0;
};

}  // namespace logpx::deflate
