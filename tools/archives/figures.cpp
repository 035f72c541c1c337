#include "tools/archives/figures.hpp"

#include "libcore/base/clock.hpp"

#include <cmath>
#include <numbers>

namespace logpx::compress {
namespace {

Json bits(double value, std::uint64_t dims) {
  Json json = Json::object();
  json.set("bits", value);
  if (dims > 0) json.set("bits_per_dim", value / static_cast<double>(dims));
  return json;
}

// log2 of how many ways there are to say which items of a set are in its next block.
double ways_to_join(std::uint64_t before, std::uint64_t block) {
  const auto before_it = static_cast<double>(before), in_it = static_cast<double>(block);
  return (std::lgamma(before_it + in_it + 1) - std::lgamma(before_it + 1) -
          std::lgamma(in_it + 1)) /
         std::numbers::ln2;
}

void set_rate(Json& json, const char* name, double amount, double seconds) {
  if (seconds > 0) json.set(name, amount / seconds);
}

}  // namespace

void Figures::add(const archive::Block& block, const BlockFigures& block_figures) {
  Share& share = coders[static_cast<std::size_t>(block.coder)];
  ++share.blocks;
  share.raw_bytes += block.raw_bytes;
  share.coded_bytes += block.payload.size();
  if (block.coder == archive::BlockCoder::model) {
    if (as_set) paid_order_bits += ways_to_join(items, block.items);
    items += block.items;
    dims += block_figures.dims.value_or(block.raw_bytes);
    borrowed_words += block.borrowed;
    bootstrap_items += block.bootstrap_items;
  }
  costs += block_figures.costs;
  bound_bits += block_figures.bound_bits;
  for (std::size_t i = 0; i < coders.size(); ++i) coders[i].seconds += block_figures.seconds[i];
  verify_seconds += block_figures.verify_seconds;
}

void Figures::add_share(archive::BlockCoder coder, std::uint64_t raw_bytes,
                        std::uint64_t coded_bytes) {
  Share& share = coders[static_cast<std::size_t>(coder)];
  ++share.blocks;
  share.raw_bytes += raw_bytes;
  share.coded_bytes += coded_bytes;
}

void Figures::add_member(std::uint64_t size, const archive::Member& member) {
  ++members;
  // For pixels `size` is that of the raster, which no file has.
  original_bytes += member.kind == archive::MemberKind::pixels ? member.size.value_or(size) : size;
}

Figures& Figures::operator+=(const Figures& other) {
  for (std::size_t i = 0; i < coders.size(); ++i) {
    coders[i].blocks += other.coders[i].blocks;
    coders[i].raw_bytes += other.coders[i].raw_bytes;
    coders[i].coded_bytes += other.coders[i].coded_bytes;
    coders[i].seconds += other.coders[i].seconds;
  }
  costs += other.costs;
  bound_bits += other.bound_bits;
  members += other.members;
  original_bytes += other.original_bytes;
  archive_bytes += other.archive_bytes;
  items += other.items;
  dims += other.dims;
  borrowed_words += other.borrowed_words;
  bootstrap_items += other.bootstrap_items;
  verify_seconds += other.verify_seconds;
  coding_seconds += other.coding_seconds;
  seconds += other.seconds;
  needs_model = needs_model || other.needs_model;
  as_set = as_set || other.as_set;
  paid_order_bits += other.paid_order_bits;
  return *this;
}

std::uint64_t Figures::blocks_of_model() const {
  return share_of(archive::BlockCoder::model).blocks + share_of(archive::BlockCoder::mixed).blocks;
}

std::uint64_t Figures::coded_bytes() const {
  std::uint64_t sum = 0;
  for (const Share& share : coders) sum += share.coded_bytes;
  return sum;
}

Json Figures::json() const {
  Json json = Json::object();
  json.set("members", members).set("original_bytes", original_bytes);
  json.set("archive_bytes", archive_bytes);
  Json shares = Json::object();
  for (std::size_t i = 0; i < coders.size(); ++i)
    shares.set(archive::word_of(static_cast<archive::BlockCoder>(i)),
               Json::object()
                   .set("blocks", coders[i].blocks)
                   .set("raw_bytes", coders[i].raw_bytes)
                   .set("coded_bytes", coders[i].coded_bytes));
  json.set("blocks", std::move(shares));
  const std::uint64_t coded = share_of(archive::BlockCoder::model).coded_bytes;
  if (dims > 0) {
    const double initial = 32 * static_cast<double>(borrowed_words);
    json.set("items", items).set("dims", dims);
    json.set("coded", bits(8 * static_cast<double>(coded), dims));
    json.set("initial", bits(initial, dims)).set("borrowed_words", borrowed_words);
    json.set("bootstrap_items", bootstrap_items);
    static constexpr const char* parts[] = {"likelihood", "prior", "posterior", "bootstrap"};
    for (std::size_t i = 0; i < std::size(parts); ++i)
      if (costs.total() != 0) json.set(parts[i], bits(costs.bits[i], dims));
    if (as_set) json.set("set", set_json());
  }
  if (bound_bits > 0) {
    const double net = 8 * static_cast<double>(coded) - 32 * static_cast<double>(borrowed_words);
    json.set("bound", bits(bound_bits, dims)).set("gap_percent", 100 * (net / bound_bits - 1));
  }
  if (const Share& mixed = share_of(archive::BlockCoder::mixed); mixed.blocks > 0)
    json.set("mixed", bits(8 * static_cast<double>(mixed.coded_bytes), mixed.raw_bytes));
  json.set("container_bytes", archive_bytes - coded_bytes());
  if (!reproducible_build()) add_times(json);
  return json;
}

// What labels and order gave back counts below zero, as the posterior does.
Json Figures::set_json() const {
  const auto part = [this](double value) {
    return Json::object().set("bits", value).set("bits_per_item", bits_per_item(value));
  };
  return Json::object()
      .set("labels", part(costs.of(codec::Part::labels)))
      .set("order", part(costs.of(codec::Part::order)))
      .set("paid_order", part(paid_order_bits))
      .set("net", part(costs.total()));
}

// Seconds in the coders are summed over all threads.
void Figures::add_times(Json& json) const {
  using enum archive::BlockCoder;
  json.set("seconds", seconds).set("coding_seconds", coding_seconds);
  for (const auto coder : {model, fallback, adaptive, mixed})
    json.set(std::string(archive::word_of(coder)) + "_seconds", share_of(coder).seconds);
  json.set("verify_seconds", verify_seconds);
  json.set("io_seconds", seconds - coding_seconds);
  set_rate(json, "megabytes_per_second", static_cast<double>(original_bytes) / 1e6, seconds);
  set_rate(json, "items_per_second", static_cast<double>(items), seconds);
}

}  // namespace logpx::compress
