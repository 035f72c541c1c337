#include "formats/deflate/undoer.hpp"

#include "formats/deflate/parameter_search.hpp"
#include "formats/deflate/parser.hpp"
#include "formats/deflate/teller.hpp"

#include <algorithm>
#include <vector>

namespace logpx::deflate {

namespace {

constexpr std::size_t stream_slice = 16384;

}  // namespace

class Undoer::Parts {
 public:
  Parts(Decisions& decisions, ByteSink content)
      : decisions_(decisions), content_(std::move(content)) {}

  std::size_t add(ByteView bytes) {
    std::size_t taken = 0;
    while (taken < bytes.size() && parser_.state() == StreamState::open && !overworked_) {
      taken +=
          parser_.read(bytes.subspan(taken).first(std::min(stream_slice, bytes.size() - taken)));
      if (parser_.state() == StreamState::refused) break;
      take_content();
      if (!teller_) begin();
      if (!teller_) continue;
      walk();
      if (!overworked_) give_content();
    }
    note_figures();
    return taken;
  }

  [[nodiscard]] StreamState state() const {
    return overworked_ ? StreamState::refused : parser_.state();
  }
  [[nodiscard]] const StreamFigures& figures() const { return figures_; }
  [[nodiscard]] const std::optional<Parameters>& parameters() const { return parameters_; }

 private:
  void take_content() {
    const auto fresh = parser_.content();
    held_.insert(held_.end(), fresh.begin(), fresh.end());
    if (teller_) teller_->add(fresh);
    parser_.content_taken();
  }
  // A Redoer that has so much content reads nothing that was not written yet.
  void give_content() {
    std::uint64_t known = figures_.content_bytes + held_.size();
    if (parser_.state() == StreamState::open)
      known = std::min(known, teller_->position() + Foreteller::lookahead - 1);
    const auto bytes = static_cast<std::size_t>(known - figures_.content_bytes);
    if (bytes == 0) return;
    content_(std::as_bytes(std::span(held_).first(bytes)));
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(bytes));
    figures_.content_bytes += bytes;
  }

  // Once the beginning is there, finds the parameters by it.
  void begin() {
    const bool whole = parser_.state() == StreamState::ended;
    if (!whole && parser_.tokens.size() < searched_tokens && held_.size() < searched_bytes) return;
    parameters_ =
        code_parameters(decisions_, find_parameters({held_, whole, parser_.heads, parser_.tokens}));
    teller_.emplace(*parameters_, decisions_);
    teller_->add(held_);
  }

  void walk() {
    if (parser_.state() == StreamState::ended) teller_->end_content();
    while (!overworked_ && (in_block_ ? step() : begin_block()))
      overworked_ = teller_->overworked();
    if (parser_.state() == StreamState::ended && !overworked_)
      (void)teller_->code_padding(parser_.end_padding());
  }
  // These say whether there was anything to do.
  bool begin_block() {
    if (parser_.heads.empty() || !teller_->ready(parser_.heads.front().stored_bytes)) return false;
    ++figures_.blocks;
    teller_->begin(parser_.heads.front());
    parser_.heads.pop_front();
    return in_block_ = true;
  }
  bool step() {
    const bool stored = teller_->head().kind == BlockKind::stored;
    if (!teller_->ready() || (!stored && parser_.tokens.empty())) return false;
    const Token token = teller_->step(stored ? literal : parser_.tokens.front());
    if (!stored) {
      parser_.tokens.pop_front();
      figures_.tokens += token == end_of_block ? 0 : 1;
    }
    in_block_ = token != end_of_block;
    return true;
  }

  void note_figures() {
    figures_.stream_bytes = parser_.stream_bytes();
    if (!teller_) return;
    figures_.other_tokens = teller_->others();
    figures_.other_blocks = teller_->other_blocks();
  }

  Decisions& decisions_;
  ByteSink content_;
  Parser parser_;
  std::vector<std::uint8_t> held_;  // content that was not given out yet
  std::optional<Parameters> parameters_;
  std::optional<Teller> teller_;
  StreamFigures figures_;
  bool in_block_ = false, overworked_ = false;
};

Undoer::Undoer(Decisions& decisions, ByteSink content)
    : parts_(std::make_unique<Parts>(decisions, std::move(content))) {}
Undoer::~Undoer() = default;
std::size_t Undoer::add(ByteView bytes) { return parts_->add(bytes); }
StreamState Undoer::state() const { return parts_->state(); }
const StreamFigures& Undoer::figures() const { return parts_->figures(); }
const std::optional<Parameters>& Undoer::parameters() const { return parts_->parameters(); }

}  // namespace logpx::deflate
