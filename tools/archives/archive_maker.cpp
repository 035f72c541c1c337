#include "tools/archives/archive_maker.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::compress {

using archive::BlockView;
using archive::ByteVector;
using archive::ByteView;

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
              .model_lanes = coding.parameters.lanes,
              .memory = settings.memory,
              .prime = coding.prime},
             coding.parameters.units),
      tables_({.methods = std::min(settings.methods, Methods::fallback),
               .verify = settings.verify,
               .memory = settings.memory},
              coding.parameters.units),
      plan_(coding.parameters.units) {
  writer_.header(coding.header());
  figures_.needs_model = coding.use != archive::ModelUse::none;
  figures_.as_set = coding.as_set;
  if (coding.embedded_prime) writer_.prime(*coding.embedded_prime);
  if (coding.use == archive::ModelUse::embedded) writer_.model(coding.embedded);
}

void ArchiveMaker::encode_batch(const std::vector<BlockView>& batch) {
  std::vector<archive::Block> blocks(batch.size());
  std::vector<BlockFigures> figures(batch.size());
  const double start = wall_seconds();
  workers_.run(std::ssize(batch), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const BlockView& view = batch[at];
    blocks[at] = coder_.encode(ByteView(streams_[view.stream]).subspan(view.begin, view.bytes),
                               view, blocks_ + at, figures[at]);
  });
  figures_.coding_seconds += wall_seconds() - start;
  blocks_ += batch.size();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    figures_.add(blocks[i], figures[i]);
    writer_.block(blocks[i]);
  }
}

void ArchiveMaker::write_blocks() {
  plan_.close();
  streams_.resize(plan_.streams());
  for (std::size_t lot = 0; lot < lots_.size(); ++lot) {
    ByteVector& stream = streams_[plan_.place_of(lot).stream];
    if (stream.empty()) stream = std::move(lots_[lot]);
    else stream.insert(stream.end(), lots_[lot].begin(), lots_[lot].end());
  }
  lots_.clear();
  std::vector<BlockView> batch;
  while (auto view = plan_.next_block()) {
    batch.push_back(std::move(*view));
    if (std::ssize(batch) < settings_.batch) continue;
    encode_batch(batch);
    batch.clear();
  }
  encode_batch(batch);
}

// What the next run begins with is known when this one is written.
void ArchiveMaker::write_run(Last last) {
  run_.goes_on = last == Last::goes_on;
  const ByteVector table = serialise(run_);
  BlockFigures ignored;
  writer_.run(tables_.encode(table, archive::view_of_bytes(table.size()), 0, ignored));
  write_blocks();
  run_ = {.first = end_.members, .carried = {}, .goes_on = false, .entries = {}};
  if (last == Last::goes_on) run_.carried = 0;
  table_bytes_ = 0;
  plan_ = archive::RunPlan(coding_.parameters.units);
  streams_.clear();
}

void ArchiveMaker::begin(const archive::Member& member) {
  LOGPX_ASSERT(member.meta.size() <= archive::max_meta_bytes);
  if (member.name.size() > archive::max_name_bytes)
    fail(ErrorKind::data, member.name.substr(0, 40) + "...", "has a name of over 4096 bytes");
  run_.entries.push_back({.member = member, .content = 0});
  table_bytes_ += member.name.size() + member.meta.size();
  ++end_.members;
}

void ArchiveMaker::take(const archive::MemberPlan& plan, archive::Piece piece) {
  if (plan_.size() >= archive::run_content_bytes) write_run(Last::goes_on);
  (run_.entries.empty() ? *run_.carried : run_.entries.back().content) += piece.step.content;
  const std::size_t part = run_.entries.size() + (run_.carried ? 1 : 0) - 1;
  plan_.add(part, plan, piece.step);
  const ByteView bytes = piece.bytes, shaped = bytes.first(piece.step.shaped);
  if (plan.for_model) coder_.check(shaped);
  lots_.resize(plan_.lots());
  const auto append = [&](std::size_t lot, ByteView more) {
    lots_[lot].insert(lots_[lot].end(), more.begin(), more.end());
  };
  if (!shaped.empty()) append(plan_.shaped_lot(plan), shaped);
  if (shaped.size() < bytes.size()) append(plan_.loose_lot(), bytes.subspan(shaped.size()));
}

archive::MemberEnd ArchiveMaker::add(MemberInput& input) {
  try {
    begin(input.member());
    archive::MemberSplitter splitter(input.member(), coding_.parameters.units, input.supply());
    for (archive::Piece piece; splitter.next(piece);) {
      take(splitter.plan(), std::move(piece));
      if (settings_.progress) settings_.progress(input.bytes_read());
    }
    const archive::MemberEnd end = input.end();
    hash_.update(archive::bytes_of_hex(end.sha256));
    figures_.add_member(end.size, input.member());
    const bool full = plan_.size() >= archive::run_content_bytes ||
                      run_.entries.size() >= archive::run_members ||
                      table_bytes_ >= archive::run_table_bytes;
    if (full) write_run(Last::complete);
    return end;
  } catch (const Error& error) {
    // Errors in a block do not name the file.
    throw error.subject().empty() ? error.within(input.name()) : error;
  }
}

void ArchiveMaker::finish() {
  if (!run_.entries.empty() || run_.carried) write_run(Last::complete);
  end_.sha256 = hash_.hex();
  writer_.finish(end_);
  figures_.archive_bytes = writer_.bytes();
}

}  // namespace logpx::compress
