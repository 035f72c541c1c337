#include "tools/compress/archive_maker.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"

namespace logpx::compress {

using archive::RawBlock;

ArchiveMaker::ArchiveMaker(const Coding& coding, const MakerSettings& settings, Workers& workers,
                           archive::ByteSink sink)
    : coding_(coding),
      settings_(settings),
      workers_(workers),
      writer_(std::move(sink)),
      coder_({.scheme = coding.scheme.get(),
              .methods = settings.methods,
              .verify = settings.verify,
              .score = settings.score,
              .rng = settings.rng,
              .model_lanes = coding.parameters.lanes},
             coding.parameters.units) {
  writer_.header(coding.header());
  if (coding.use == archive::ModelUse::embedded) writer_.model(coding.embedded);
}

void ArchiveMaker::encode_batch(std::vector<RawBlock>& batch, const archive::MemberPlan& plan) {
  std::vector<archive::Block> blocks(batch.size());
  std::vector<BlockFigures> figures(batch.size());
  const double start = wall_seconds();
  workers_.run(std::ssize(batch), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    blocks[at] = coder_.encode(batch[at], plan, blocks_ + at, figures[at]);
  });
  figures_.coding_seconds += wall_seconds() - start;
  blocks_ += batch.size();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    figures_.add(blocks[i], figures[i]);
    writer_.block(blocks[i]);
  }
  batch.clear();
}

archive::MemberEnd ArchiveMaker::add(MemberInput& input) {
  try {
    writer_.begin(input.member());
    archive::MemberSplitter splitter(input.member(), coding_.parameters.units, input.supply());
    std::vector<RawBlock> batch;
    for (RawBlock raw; splitter.next(raw);) {
      batch.push_back(std::move(raw));
      if (std::ssize(batch) == settings_.batch) encode_batch(batch, splitter.plan());
      if (settings_.progress) settings_.progress(input.bytes_read());
    }
    encode_batch(batch, splitter.plan());
    const archive::MemberEnd end = input.end();
    writer_.end(end);
    figures_.add_member(end.size, input.member());
    return end;
  } catch (const Error& error) {
    // What is wrong in a block says no file.
    throw error.subject().empty() ? error.within(input.name()) : error;
  }
}

void ArchiveMaker::finish() {
  writer_.finish();
  figures_.archive_bytes = writer_.bytes();
}

}  // namespace logpx::compress
