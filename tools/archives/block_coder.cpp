#include "tools/archives/block_coder.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/codec/adaptive/taught.hpp"

#include <algorithm>
#include <numbers>

namespace logpx::compress {
namespace {

using archive::Block;
using archive::BlockView;
using archive::ByteVector;
using archive::ByteView;

template <typename Action>
double seconds_of(const Action& action) {
  const double start = wall_seconds();
  action();
  return wall_seconds() - start;
}

Block shortest(const BlockMeans& means, BlockTrial& trial, BlockFigures& figures) {
  for (const BlockCandidate& candidate : block_candidates()) {
    if (trial.settled) break;
    figures.seconds[static_cast<std::size_t>(candidate.name)] = seconds_of([&] {
      if (!candidate.applies(means, trial)) return;
      std::optional<Block> coded = candidate.encode(means, trial);
      if (!coded) return;
      if (const std::size_t bytes = means.bytes_of(*coded); trial.settled || bytes < trial.limit) {
        trial.limit = bytes;
        trial.best = std::move(coded);
      }
    });
  }
  return std::move(*trial.best);
}

ByteVector decoded(const BlockMeans& means, const Block& block, const BlockView& view,
                   std::uint64_t number) {
  const auto by = std::ranges::find(block_candidates(), block.coder, &BlockCandidate::name);
  ByteVector raw = by->decode(means, block, view, number);
  if (raw.size() != view.bytes)
    fail(ErrorKind::data, "", "holds another number of bytes than it declares");
  if (archive::crc32_of(raw) != block.raw_crc)
    fail(ErrorKind::data, "", "content checksum differs: the archive is damaged");
  return raw;
}

}  // namespace

Block BlockCoder::encode(ByteView raw, const BlockView& view, std::uint64_t number,
                         BlockFigures& figures) const {
  LOGPX_ASSERT(raw.size() == view.bytes);
  codec::adaptive::Taught taught;
  BlockMeans means = means_;
  if (means.settings.verify == Verify::on) means.taught = &taught;
  BlockTrial trial{.raw = raw, .view = view, .number = number};
  Block block = shortest(means, trial, figures);
  block.raw_bytes = view.bytes;
  block.items = view.items;
  block.raw_crc = archive::crc32_of(raw);
  figures.dims = dims_of(block, raw);
  if (block.coder == archive::BlockCoder::model) {
    figures.costs = trial.costs;
    if (means_.settings.score == Score::on)
      figures.bound_bits = bound_bits(raw, number * static_cast<std::uint64_t>(means_.per_block));
  }
  figures.verify_seconds = seconds_of([&] {
    if (means_.settings.verify == Verify::on &&
        !std::ranges::equal(decoded(means, block, view, number), raw))
      fail(ErrorKind::io, "", "a block decodes to something else (a bug, or a faulty machine)");
  });
  return block;
}

ByteVector BlockCoder::decode(const Block& block, const BlockView& view,
                              std::uint64_t number) const {
  return decoded(means_, block, view, number);
}

std::optional<std::uint64_t> BlockCoder::dims_of(const Block& block, ByteView raw) const {
  if (block.coder != archive::BlockCoder::model) return std::nullopt;
  return means_.settings.scheme->dims_in(means_.symbols.symbols_of(raw));
}

double BlockCoder::bound_bits(ByteView raw, std::uint64_t first) const {
  const BlockSettings& settings = means_.settings;
  const std::vector<std::uint8_t> symbols = means_.symbols.symbols_of(raw);
  std::vector<double> nats(settings.scheme->items_in(symbols.size()));
  settings.scheme->score(symbols, settings.rng, static_cast<std::uint32_t>(first), nats);
  double sum = 0;
  for (const double value : nats) sum -= value;
  return sum / std::numbers::ln2;
}

}  // namespace logpx::compress
