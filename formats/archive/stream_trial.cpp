#include "formats/archive/stream_trial.hpp"

#include "formats/deflate/redoer.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <utility>

namespace logpx::archive {

using deflate::StreamState;

struct StreamTrial::Proof {
  explicit Proof(ByteSink stream) : redoer(decisions, std::move(stream)) {}
  DecisionRepeater decisions;
  DecisionCost cost;
  StreamCheck zlib{Layer::zlib}, gzip{Layer::gzip};
  std::size_t remade = 0;  // bytes of stream_
  deflate::Redoer redoer;
};

StreamTrial::StreamTrial(std::size_t channel, UnfoldBudget& budget, const TakerMaker& make_taker)
    : channel_(channel),
      budget_(budget),
      begun_(budget),
      taker_(make_taker([this](Unfolded unfolded) { put(std::move(unfolded)); })),
      undoer_(recorder_, [this](ByteView content) { take(content); }) {}
StreamTrial::~StreamTrial() = default;

std::size_t StreamTrial::add(ByteView bytes) {
  const std::size_t before = stream_.size();
  stream_.insert(stream_.end(), bytes.begin(), bytes.end());
  // Remade bytes go as the Undoer runs, so what it leaves is counted from the end.
  const std::size_t taken = undoer_.add(bytes);
  LOGPX_ASSERT(before + taken <= stream_.size());
  stream_.resize(stream_.size() - (bytes.size() - taken));
  taken_ += taken;
  if (proof_ && proof_->remade > 0) {
    const auto remade = static_cast<std::ptrdiff_t>(std::exchange(proof_->remade, 0));
    stream_.erase(stream_.begin(), stream_.begin() + remade);
  }
  return taken;
}

StreamState StreamTrial::state() const { return wrong_ ? StreamState::refused : undoer_.state(); }

void StreamTrial::compare(ByteView stream) {
  const ByteView expected = ByteView(stream_).subspan(proof_->remade);
  wrong_ = wrong_ || stream.size() > expected.size() ||
           !std::ranges::equal(stream, expected.first(stream.size()));
  if (!wrong_) proof_->remade += stream.size();
}

void StreamTrial::prove(ByteView content) {
  const RecordedDecisions decisions = recorder_.take();
  proof_->decisions.add(decisions);
  proof_->cost.add(decisions);
  const std::size_t before = proof_->remade;
  try {
    proof_->redoer.add(content);
  } catch (const Error&) {
    wrong_ = true;
  }
  if (wrong_) proof_->remade = before;
  else if (!decisions.empty()) put({.channel = channel_, .decisions = decisions});
}

void StreamTrial::take(ByteView content) {
  if (wrong_) return;
  budget_.contents += content.size();
  wrong_ = !budget_.allows_content();
  if (!proof_) proof_ = std::make_unique<Proof>([this](ByteView stream) { compare(stream); });
  if (!wrong_) prove(content);
  if (wrong_) return;
  proof_->zlib.add(content);
  proof_->gzip.add(content);
  taker_->add(content);
}

void StreamTrial::prove_end() {
  const RecordedDecisions decisions = recorder_.take();
  proof_->decisions.add(decisions);
  proof_->cost.add(decisions);
  try {
    proof_->redoer.finish();
  } catch (const Error&) {
    wrong_ = true;
  }
  wrong_ = wrong_ || proof_->remade != stream_.size();
  if (!wrong_ && !decisions.empty()) put({.channel = channel_, .decisions = decisions});
}

bool StreamTrial::finish() {
  if (!proof_) return false;  // no content
  prove_end();
  return !wrong_ && budget_.allows(begun_, taken_) && taker_->finish();
}

// Content is coded in about as many bytes as the stream has, or fewer: what is decided besides must
// not take much.
bool StreamTrial::pays() const { return proof_ && 4 * proof_->cost.bytes() < taken_; }

Unfolded StreamTrial::opened(Layer layer) const {
  const auto& parameters = undoer_.parameters();
  return {.step = RecipeStep{.what = RecipeStep::What::open,
                             .layer = layer,
                             .how = parameters ? number_of(*parameters) : 0}};
}

ByteVector StreamTrial::check_bytes(Layer layer) const {
  if (!proof_ || layer == Layer::deflate) return {};
  return (layer == Layer::zlib ? proof_->zlib : proof_->gzip).bytes();
}

void StreamTrial::put(Unfolded unfolded) {
  if (sink_) return sink_(std::move(unfolded));
  held_bytes_ += unfolded.content.size();
  held_.push_back(std::move(unfolded));
}

void StreamTrial::release(UnfoldedSink sink) {
  sink_ = std::move(sink);
  held_bytes_ = 0;
  for (Unfolded& unfolded : std::exchange(held_, {})) sink_(std::move(unfolded));
}

ByteVector StreamTrial::stop() {
  (void)taker_->finish();
  if (!proof_) return std::move(stream_);
  return {stream_.begin() + static_cast<std::ptrdiff_t>(proof_->remade), stream_.end()};
}

void StreamTrial::drop() { budget_.drop(begun_, taken_); }

}  // namespace logpx::archive
