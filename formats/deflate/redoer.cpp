#include "formats/deflate/redoer.hpp"

#include "formats/deflate/bits.hpp"
#include "formats/deflate/teller.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace logpx::deflate {

namespace {

constexpr std::size_t content_slice = 65536;

// The codes of a block, ready to be written.
class BlockWriter {
 public:
  BlockWriter(BitWriter& out, const Trees& trees) : out_(out), trees_(trees) {
    canonical_codes(trees.literal_lengths, literals_);
    canonical_codes(trees.distance_lengths, distances_);
  }
  // A literal carries its byte in the place of the distance.
  void put(Token token) {
    if (!token.is_match()) return put_literal(token.distance);
    const unsigned length = length_symbol(token.length);
    put_literal(first_length_symbol + length);
    out_.put(token.length - length_base(length), length_bits(length));
    const unsigned distance = distance_symbol(token.distance);
    if (trees_.distance_lengths[distance] == 0) refuse();
    out_.put(distances_[distance], trees_.distance_lengths[distance]);
    out_.put(token.distance - distance_base(distance), distance_bits(distance));
  }
  void end() { put_literal(end_symbol); }

 private:
  void put_literal(unsigned symbol) {
    if (trees_.literal_lengths[symbol] == 0) refuse();
    out_.put(literals_[symbol], trees_.literal_lengths[symbol]);
  }
  [[noreturn]] static void refuse() {
    fail(ErrorKind::data, "DEFLATE stream", "the trees of its recipe lack a symbol");
  }
  BitWriter& out_;
  const Trees& trees_;
  std::array<std::uint16_t, literal_codes> literals_{};
  std::array<std::uint16_t, distance_codes> distances_{};
};

void put_description(BitWriter& out, const Trees& trees) {
  out.put(trees.literals - 257u, 5);
  out.put(trees.distances - 1u, 5);
  out.put(trees.run_count - 4u, 4);
  for (unsigned i = 0; i < trees.run_count; ++i) out.put(trees.run_lengths[run_order[i]], 3);
  std::array<std::uint16_t, run_symbols> codes{};
  canonical_codes(trees.run_lengths, codes);
  for (const Run run : trees.runs) {
    out.put(codes[run.symbol], trees.run_lengths[run.symbol]);
    out.put(run.extra, run_bits(run.symbol));
  }
}

}  // namespace

class Redoer::Parts {
 public:
  Parts(Decisions& decisions, ByteSink stream)
      : decisions_(decisions), stream_(std::move(stream)) {}

  void add(ByteView content) {
    for (std::size_t at = 0; at < content.size(); at += content_slice) {
      const ByteView part = content.subspan(at).first(std::min(content_slice, content.size() - at));
      teller().add({reinterpret_cast<const std::uint8_t*>(part.data()), part.size()});
      walk();
    }
  }
  void finish() {
    teller().end_content();
    walk();
    if (!ended_) fail(ErrorKind::data, "DEFLATE stream", "its recipe ends before it");
  }
  [[nodiscard]] const std::optional<Parameters>& parameters() const { return parameters_; }

 private:
  Teller& teller() {
    if (!teller_) {
      parameters_ = code_parameters(decisions_, {});
      teller_.emplace(*parameters_, decisions_);
    }
    return *teller_;
  }

  void walk() {
    while (!ended_ && teller_->ready()) {
      if (!in_block_) begin_block();
      else step();
      if (teller_->overworked())
        fail(ErrorKind::data, "DEFLATE stream", "takes more than 1,024 steps a byte to make again");
    }
    if (ended_ && !teller_->at_end())
      fail(ErrorKind::data, "DEFLATE stream", "ends before its content");
    stream_bytes_ += out_.bytes().size();
    if (stream_bytes_ > most_folding * teller_->content_bytes() + free_bytes)
      fail(ErrorKind::data, "DEFLATE stream", "is over 16 times as long as its content");
    stream_(out_.bytes());
    out_.clear();
  }

  void begin_block() {
    teller_->begin({});
    in_block_ = true;
    written_ = false;
  }

  void step() {
    const Token token = teller_->step({});
    in_block_ = token != end_of_block;
    if (!in_block_) return end_block();
    const auto bytes = teller_->stepped();
    if (teller_->head().kind == BlockKind::stored) {
      stored_.insert(stored_.end(), bytes.begin(), bytes.end());
      return;
    }
    tokens_.push_back(token.is_match() ? token : Token{0, bytes.front()});
    if (tokens_.size() == most_tokens) write_tokens(teller_->head(), fixed_trees());
  }

  void end_block() {
    const BlockHead& head = teller_->head();
    if (head.kind == BlockKind::stored) {
      write_stored(head);
    } else {
      const Trees& trees = head.kind == BlockKind::fixed ? fixed_trees() : head.trees;
      write_tokens(head, trees);
      BlockWriter(out_, trees).end();
    }
    if (!head.last) return;
    ended_ = true;
    put_padding(teller_->code_padding(0));
  }

  void put_kind(const BlockHead& head) {
    out_.put(head.last ? 1 : 0, 1);
    out_.put(static_cast<std::uint32_t>(head.kind), 2);
  }
  void put_padding(std::uint8_t padding) {
    const unsigned bits = out_.to_byte();
    out_.put(padding & ((1u << bits) - 1), bits);
  }
  void write_stored(const BlockHead& head) {
    put_kind(head);
    put_padding(head.padding);
    out_.put(head.stored_bytes, 16);
    out_.put(head.stored_bytes ^ 0xffffu, 16);
    for (const std::uint8_t byte : stored_) out_.put(byte, 8);
    stored_.clear();
  }
  // All of a block, or some more of a long one.
  void write_tokens(const BlockHead& head, const Trees& trees) {
    if (!written_) put_kind(head);
    if (!written_ && head.kind == BlockKind::dynamic) put_description(out_, trees);
    written_ = true;
    BlockWriter writer(out_, trees);
    for (const Token token : tokens_) writer.put(token);
    tokens_.clear();
  }

  Decisions& decisions_;
  std::optional<Parameters> parameters_;
  std::optional<Teller> teller_;
  ByteSink stream_;
  BitWriter out_;
  std::uint64_t stream_bytes_ = 0;
  std::vector<Token> tokens_;
  std::vector<std::uint8_t> stored_;
  bool in_block_ = false, ended_ = false, written_ = false;
};

Redoer::Redoer(Decisions& decisions, ByteSink stream)
    : parts_(std::make_unique<Parts>(decisions, std::move(stream))) {}
Redoer::~Redoer() = default;
void Redoer::add(ByteView content) { parts_->add(content); }
void Redoer::finish() { parts_->finish(); }
const std::optional<Parameters>& Redoer::parameters() const { return parts_->parameters(); }

}  // namespace logpx::deflate
