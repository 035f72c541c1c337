#include "formats/archive/unfolder.hpp"

#include "formats/archive/unfolded_png.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

using deflate::StreamState;

constexpr std::uint64_t least_stream = 24;      // shorter ones stay as they are
constexpr std::uint64_t least_unchecked = 512;  // where the check sum differs: by chance
constexpr std::uint64_t most_held = 16u << 20;  // content of which it is not known whether it is
constexpr std::size_t first_bite = 1 << 9, most_bite = 1 << 16;
constexpr std::size_t most_given = 1 << 16;  // bytes that are not moved to the front

Unfolded opened(Layer layer) {
  return {.step = RecipeStep{.what = RecipeStep::What::open, .layer = layer}};
}
Unfolded ended(RecipeStep::What how) { return {.step = RecipeStep{.what = how}}; }
Unfolded bytes_of_file(ByteView bytes) {
  return {.step = RecipeStep{.what = RecipeStep::What::bytes, .bytes = bytes.size()},
          .content = ByteVector(bytes.begin(), bytes.end())};
}

bool starts_with(ByteView bytes, std::string_view text) {
  return bytes.size() >= text.size() &&
         std::ranges::equal(bytes.first(text.size()), bytes_of(text));
}

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
  while (trial_       ? feed(input)
         : picture_   ? take_picture(input)
         : directory_ ? take_directory(input)
                      : search(input)) {
  }
}

// The next bytes stay as they are.
void Unfolder::give(std::size_t count) {
  if (count == 0) return;
  sink_(bytes_of_file(rest().first(count)));
  pass(count);
}

void Unfolder::pass(std::size_t count) {
  at_ += count;
  given_ += count;
  searched_ = 0;
}

bool Unfolder::search(Input input) {
  const std::size_t all = rest().size();
  if (depth_ == most_streams || !budget_.allows_trial()) return give(all), false;
  StreamPlace place = find_stream(rest(), searched_);
  while ((place.kind == PlaceKind::more && input == Input::ended && place.at < all) ||
         (place.kind == PlaceKind::directory && entries_.empty()))
    place = find_stream(rest(), place.at + 1);
  give(std::min(place.at - place.entry, all));
  if (place.kind == PlaceKind::picture) picture_ = true;
  if (place.kind == PlaceKind::stream) begin_trial(place);
  if (place.kind == PlaceKind::directory) {
    directory_ = true;
    sink_(opened(Layer::directory));
  }
  return place.kind != PlaceKind::none && place.kind != PlaceKind::more;
}

void Unfolder::begin_trial(const StreamPlace& place) {
  layer_ = place.layer;
  entry_ = place.entry;
  fed_ = 0;
  kept_ = false;
  trial_ = std::make_unique<StreamTrial>(depth_, budget_, [this](UnfoldedSink sink) {
    return std::make_unique<Unfolder>(depth_ + 1, budget_, std::move(sink));
  });
}

bool Unfolder::feed(Input input) {
  if (trial_->state() == StreamState::ended) return settle(input);
  const ByteView left = rest().subspan(entry_ + fed_);
  const std::size_t bite = std::min(left.size(), std::clamp(fed_, first_bite, most_bite));
  const std::size_t taken = trial_->add(left.first(bite));
  fed_ += taken;
  if (kept_) pass(std::exchange(fed_, 0));
  if (trial_->state() == StreamState::refused) return kept_ ? stop() : drop(), true;
  if (trial_->state() == StreamState::ended) return settle(input);
  if (!kept_ && trial_->held() > most_held) trial_->pays() ? begin_keeping() : drop();
  else if (left.empty() && input == Input::ended) kept_ ? stop() : drop();
  else if (left.empty()) return false;
  return true;
}

// A long stream: its check sum, if it has one, is not known when it begins.
void Unfolder::begin_keeping() {
  give(std::exchange(entry_, 0));
  sink_(trial_->opened(layer_ = Layer::deflate));
  trial_->release(sink_);
  pass(std::exchange(fed_, 0));
  kept_ = true;
}

bool Unfolder::settle(Input input) {
  const std::size_t check = entry_ > 0 ? bytes_behind(rest()) : StreamCheck::size_of(layer_);
  const ByteView behind = rest().subspan(entry_ + fed_);
  if (behind.size() < check && input == Input::goes_on) return false;
  if (kept_) {
    if (!trial_->finish()) return stop(), true;
    sink_(ended(RecipeStep::What::close));
    trial_.reset();
    return true;
  }
  if (fed_ < least_stream || !trial_->finish() || !trial_->pays()) return drop(), true;
  entry_ > 0 ? settle_entry(check) : settle_stream(check);
  return true;
}

void Unfolder::settle_stream(std::size_t check) {
  const ByteView behind = rest().subspan(fed_);
  const bool checked = check > 0 && behind.size() >= check &&
                       std::ranges::equal(behind.first(check), trial_->check_bytes(layer_));
  if (check > 0 && !checked && fed_ < least_unchecked) return drop();
  keep(checked ? check : 0);
}

void Unfolder::settle_entry(std::size_t check) {
  const ByteView behind = rest().subspan(entry_ + fed_);
  const bool there = check == 0 || (behind.size() >= check && starts_with(behind, "PK\7\10"));
  const std::size_t known = trial_->check_bytes(Layer::gzip).size();
  if (there && entry_ + fed_ + check + known <= ZipEntries::most_entry) return keep_entry(check);
  give(std::exchange(entry_, 0));
  keep(0);
}

// So many bytes behind the stream belong to it.
void Unfolder::keep(std::size_t behind) {
  sink_(trial_->opened(behind > 0 ? layer_ : Layer::deflate));
  trial_->release(sink_);
  sink_(ended(RecipeStep::What::close));
  trial_.reset();
  pass(fed_ + behind);
}

void Unfolder::keep_entry(std::size_t behind) {
  const ByteView whole = rest().first(entry_ + fed_ + behind);
  Unfolded header = bytes_of_file(whole.first(entry_)), last = bytes_of_file(whole.last(behind));
  combine_sums(header.content, last.content, trial_->check_bytes(Layer::gzip), fed_);
  sink_(opened(Layer::entry));
  sink_(std::move(header));
  sink_(trial_->opened(Layer::gzip));
  trial_->release(sink_);
  sink_(ended(RecipeStep::What::close));
  trial_.reset();
  if (behind > 0) sink_(std::move(last));
  sink_(ended(RecipeStep::What::close));
  entries_.note(whole, given_);
  entry_ = 0;
  pass(whole.size());
}

// The bytes stay as they are, and are searched for others.
void Unfolder::drop() {
  trial_->drop();
  trial_.reset();
  searched_ = std::exchange(entry_, 0);
}

// A stream that has been kept so far turns out to be none, or ends early.
void Unfolder::stop() {
  ByteVector bytes = trial_->stop();
  trial_.reset();
  sink_(ended(RecipeStep::What::stop));
  given_ -= bytes.size();
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
  pass(found.end - found.begin);
  return true;
}

// Header by header, as long as there are such.
bool Unfolder::take_directory(Input input) {
  const bool begins = starts_with(rest(), "PK\1\2");
  const auto size = begins ? ZipEntries::directory_header(rest()) : std::nullopt;
  if (size && *size <= rest().size()) {
    Unfolded header = bytes_of_file(rest().first(*size));
    entries_.combine(header.content);
    sink_(std::move(header));
    pass(*size);
    return true;
  }
  if (input == Input::goes_on && (begins || rest().size() < 4)) return false;
  directory_ = false;
  sink_(ended(RecipeStep::What::close));
  searched_ = begins ? 1 : 0;
  return true;
}

}  // namespace logpx::archive
