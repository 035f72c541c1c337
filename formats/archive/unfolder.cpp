#include "formats/archive/unfolder.hpp"

#include "formats/archive/unfolded_png.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

using deflate::StreamState;

constexpr std::uint64_t least_stream = 64;      // shorter ones stay as they are
constexpr std::uint64_t most_held = 16u << 20;  // content of which it is not known whether it is
constexpr std::size_t first_bite = 1 << 9, most_bite = 1 << 16;
constexpr std::size_t most_given = 1 << 16;  // bytes that are not moved to the front

Unfolded ended(RecipeStep::What how) { return {.step = RecipeStep{.what = how}}; }

}  // namespace

void Unfolder::add(ByteView bytes) {
  if (depth_ == 0) budget_.file += bytes.size();
  if (at_ > most_given) {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = 0;
  }
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  work(Input::goes_on);
}

bool Unfolder::finish() {
  work(Input::ended);
  return true;
}

void Unfolder::work(Input input) {
  while (trial_ ? feed(input) : picture_ ? take_picture(input) : search(input)) {
  }
}

// The next bytes stay as they are.
void Unfolder::give(std::size_t count) {
  if (count == 0) return;
  const ByteView given = rest().first(count);
  sink_({.step = RecipeStep{.what = RecipeStep::What::bytes, .bytes = count},
         .content = ByteVector(given.begin(), given.end())});
  at_ += count;
  searched_ = 0;
}

bool Unfolder::search(Input input) {
  const std::size_t all = rest().size();
  if (depth_ == most_streams || !budget_.allows_trial()) return give(all), false;
  StreamPlace place = find_stream(rest(), searched_);
  while (place.kind == PlaceKind::more && input == Input::ended && place.at < all)
    place = find_stream(rest(), place.at + 1);
  give(std::min(place.at, all));
  if (place.kind == PlaceKind::picture) picture_ = true;
  if (place.kind == PlaceKind::stream) begin_trial(place.layer);
  return place.kind == PlaceKind::picture || place.kind == PlaceKind::stream;
}

void Unfolder::begin_trial(Layer layer) {
  layer_ = layer;
  fed_ = 0;
  kept_ = false;
  trial_ = std::make_unique<StreamTrial>(depth_, budget_, [this](UnfoldedSink sink) {
    return std::make_unique<Unfolder>(depth_ + 1, budget_, std::move(sink));
  });
}

bool Unfolder::feed(Input input) {
  if (trial_->state() == StreamState::ended) return settle(input);
  const ByteView left = rest().subspan(fed_);
  const std::size_t bite = std::min(left.size(), std::clamp(fed_, first_bite, most_bite));
  const std::size_t taken = trial_->add(left.first(bite));
  fed_ += taken;
  if (kept_) at_ += std::exchange(fed_, 0);
  if (trial_->state() == StreamState::refused) return kept_ ? stop() : drop(), true;
  if (trial_->state() == StreamState::ended) return settle(input);
  if (!kept_ && trial_->held() > most_held) trial_->pays() ? begin_keeping() : drop();
  else if (left.empty() && input == Input::ended) kept_ ? stop() : drop();
  else if (left.empty()) return false;
  return true;
}

// A long stream: its check sum, if it has one, is not known when it begins.
void Unfolder::begin_keeping() {
  sink_(trial_->opened(layer_ = Layer::deflate));
  trial_->release(sink_);
  at_ += std::exchange(fed_, 0);
  kept_ = true;
}

bool Unfolder::settle(Input input) {
  const std::size_t check = StreamCheck::size_of(layer_);
  const ByteView behind = rest().subspan(fed_);
  if (behind.size() < check && input == Input::goes_on) return false;
  if (kept_) {
    if (!trial_->finish()) return stop(), true;
    sink_(ended(RecipeStep::What::close));
    trial_.reset();
    return true;
  }
  if (fed_ < least_stream || !trial_->finish() || !trial_->pays()) return drop(), true;
  const bool checked = check > 0 && behind.size() >= check &&
                       std::ranges::equal(behind.first(check), trial_->check_bytes(layer_));
  sink_(trial_->opened(checked ? layer_ : Layer::deflate));
  trial_->release(sink_);
  sink_(ended(RecipeStep::What::close));
  trial_.reset();
  at_ += fed_ + (checked ? check : 0);
  searched_ = 0;
  return true;
}

// The bytes stay as they are, and are searched for others.
void Unfolder::drop() {
  trial_->drop();
  trial_.reset();
  searched_ = 0;
}

// A stream that has been kept so far turns out to be none, or ends early.
void Unfolder::stop() {
  ByteVector bytes = trial_->stop();
  trial_.reset();
  sink_(ended(RecipeStep::What::stop));
  bytes.insert(bytes.end(), rest().begin(), rest().end());
  bytes_ = std::move(bytes);
  at_ = searched_ = 0;
}

bool Unfolder::take_picture(Input input) {
  if (rest().size() < wanted_ && input == Input::goes_on) return false;
  const PngStreams found = find_png_streams(rest());
  if (found.state == PngStreams::State::more && input == Input::goes_on) {
    wanted_ = 2 * rest().size();  // seldom, since all is looked at again
    return false;
  }
  picture_ = false;
  wanted_ = 0;
  searched_ = 1;  // its chunks may still hold streams
  if (found.state != PngStreams::State::whole) return true;
  std::vector<Unfolded> unfolded = unfold_png(found, depth_, budget_);
  if (unfolded.empty()) return true;
  give(found.begin);
  for (Unfolded& part : unfolded) sink_(std::move(part));
  at_ += found.end - found.begin;
  searched_ = 0;
  return true;
}

}  // namespace logpx::archive
