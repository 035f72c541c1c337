#include "libcore/codec/item_set.hpp"

#include "libcore/codec/next_symbol.hpp"
#include "libcore/codec/ranked_items.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <vector>

namespace logpx::codec {
namespace {

// Where orders of positions follow from the number of the block, every item has one of its own.
std::uint64_t number_of(std::uint64_t block, std::uint32_t left) { return block << 32 | left; }

// Adds what a step costs.
class Meter {
 public:
  Meter(const Message& message, Costs& costs)
      : message_(message), costs_(costs), before_(message.bits()) {}
  void count(Part part) {
    const double now = message_.bits();
    costs_.of(part) += now - before_;
    before_ = now;
  }
  void pass() { before_ = message_.bits(); }  // what has counted itself

 private:
  const Message& message_;
  Costs& costs_;
  double before_;
};

}  // namespace

void ItemSet::check_settled(std::span<const std::uint8_t> item) const {
  if (labels_ == nullptr) return;
  std::vector<std::uint8_t> settled(item.begin(), item.end());
  labels_->settle(settled);
  if (!std::ranges::equal(settled, item))
    fail(ErrorKind::data, "", "holds an item that has other labels than those of a set");
}

void ItemSet::encode(Message& message, std::span<const std::uint8_t> items, std::uint64_t block,
                     Costs& costs) const {
  RankedItems ranked(item_size());
  std::uint32_t left = 0;
  for (std::size_t i = 0; i < items_in(items.size()); ++i) {
    const auto item = item_of(items, i);
    if (item.size() < item_size()) fail(ErrorKind::data, "", "ends with a part of an item");
    check_settled(item);
    const RankedItems::Place place = ranked.add(item);
    if (place.before + place.equal != ++left)
      fail(ErrorKind::data, "", "holds items that do not ascend");
  }
  std::vector<std::uint8_t> item(item_size());
  Meter meter(message, costs);
  for (; left > 0; --left) {
    const std::uint32_t rank = message.pop_uniform(left);
    const RankedItems::Place place = ranked.take(rank, item);
    message.push_uniform(rank - place.before, place.equal);
    meter.count(Part::order);
    if (labels_ != nullptr) labels_->draw(message, item);
    meter.count(Part::labels);
    items_->encode(message, item, number_of(block, left), costs);
    meter.pass();
  }
}

void ItemSet::decode(Message& message, std::span<std::uint8_t> items, std::uint64_t block) const {
  if (items.size() % item_size() != 0) corrupt("a set that ends with a part of an item");
  RankedItems ranked(item_size());
  std::vector<std::uint8_t> item(item_size());
  for (std::uint32_t found = 1; found <= items.size() / item_size(); ++found) {
    items_->decode(message, item, number_of(block, found));
    if (labels_ != nullptr) labels_->give_back(message, item);
    const RankedItems::Place place = ranked.add(item);
    const std::uint32_t rank = place.before + message.pop_uniform(place.equal);
    message.push_uniform(rank, found);
  }
  ranked.copy_to(items);
}

void ItemSet::score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
                    std::span<double> nats) const {
  Message seeds;
  std::vector<std::uint8_t> labelled(item_size());
  double equal = 0;
  for (std::size_t i = 0; i < nats.size(); ++i) {
    const auto item = item_of(items, i);
    const bool repeats = i > 0 && std::ranges::equal(item, item_of(items, i - 1));
    equal = repeats ? equal + 1 : 1;
    std::ranges::copy(item, labelled.begin());
    if (labels_ != nullptr) labels_->draw(seeds, labelled);
    items_->score(labelled, rng, first + static_cast<std::uint32_t>(i), nats.subspan(i, 1));
    if (labels_ != nullptr) nats[i] += labels_->nats(item);
    nats[i] += det_log(static_cast<double>(i + 1) / equal);
  }
}

std::unique_ptr<NextSymbol> ItemSet::next_symbol() const { return items_->next_symbol(); }

}  // namespace logpx::codec
