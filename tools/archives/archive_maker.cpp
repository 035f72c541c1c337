#include "tools/archives/archive_maker.hpp"

#include "formats/archive/small_archive.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "tools/archives/block_forms.hpp"

#include <algorithm>
#include <utility>

namespace logpx::compress {

using archive::BlockView;
using archive::ByteVector;
using archive::ByteView;

namespace {

constexpr std::size_t bite = 1 << 18;  // bytes of a file that are unfolded at a time

}  // namespace

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
      plan_(coding.parameters.units),
      prime_limit_(coding.prime.size(), archive::format_minor) {
  figures_.needs_model = coding.use != archive::ModelUse::none;
  figures_.as_set = coding.as_set;
}

void ArchiveMaker::begin_archive() {
  if (begun_ != Begun::no) return;
  begun_ = Begun::records;
  writer_.header(coding_.header());
  if (coding_.embedded_prime) writer_.prime(*coding_.embedded_prime);
  if (coding_.use == archive::ModelUse::embedded) writer_.model(coding_.embedded);
}

std::vector<archive::Block> ArchiveMaker::encode(std::span<const BlockView> views) {
  std::vector<archive::Block> blocks(views.size());
  std::vector<BlockFigures> figures(views.size());
  const double start = wall_seconds();
  workers_.run(std::ssize(views), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const BlockView& view = views[at];
    blocks[at] = coder_.encode(ByteView(streams_[view.stream]).subspan(view.begin, view.bytes),
                               view, blocks_ + at, figures[at]);
  });
  figures_.coding_seconds += wall_seconds() - start;
  blocks_ += views.size();
  for (std::size_t i = 0; i < views.size(); ++i) figures_.add(blocks[i], figures[i]);
  return blocks;
}

// Groups the loose bytes of the run by how they are best read.
void ArchiveMaker::find_groups() {
  groups_ = {};
  const std::vector<std::size_t> loose = plan_.loose_lots();
  if (loose.empty() || coding_.parameters.units.effort == archive::Effort::fast ||
      settings_.methods == Methods::store)
    return;
  ByteVector joined;
  if (loose.size() > 1)
    for (const std::size_t lot : loose)
      joined.insert(joined.end(), lots_[lot].begin(), lots_[lot].end());
  const ByteVector& all = loose.size() > 1 ? joined : lots_[loose.front()];
  const auto known = [](std::span<const std::uint8_t> part) {
    return known_forms(archive::view_of_bytes(part.size()), std::as_bytes(part), false);
  };
  groups_ = codec::adaptive::find_groups(
      {reinterpret_cast<const std::uint8_t*>(all.data()), all.size()}, plan_.loose_ends(), known);
  if (groups_.forms.size() < 2 && loose.size() < 2) return;
  for (const auto& [bytes, group] : groups_.stretches)
    run_.stretches.push_back({bytes, static_cast<std::uint32_t>(group)});
}

// What was found out about the group that a block is of.
std::vector<archive::BlockForm> ArchiveMaker::likely_of(const BlockView& view) const {
  const auto found = std::ranges::find(plan_.groups(), view.stream);
  const auto group = static_cast<std::size_t>(found - plan_.groups().begin());
  if (group >= groups_.forms.size()) return {};
  std::vector<archive::BlockForm> likely;
  for (const codec::adaptive::Form& form : groups_.forms[group]) likely.push_back(block_form(form));
  return likely;
}

// Decisions come last, each with the first member that needs them.
void ArchiveMaker::add_decisions() {
  const auto with =
      std::ranges::find_if(run_.entries, [](const auto& e) { return e.recipe.has_value(); });
  const std::size_t carried = run_.carried ? 1 : 0;
  plan_.add_decisions(0, run_.carried_decisions);
  plan_.add_decisions(carried + static_cast<std::size_t>(with - run_.entries.begin()),
                      run_.decisions);
  if (!decisions_.empty()) append(plan_.decision_lot(), std::exchange(decisions_, {}));
}

// Brings the content of the run into its streams.
std::vector<BlockView> ArchiveMaker::cut_blocks() {
  add_decisions();
  plan_.close(run_.stretches);
  streams_.resize(plan_.streams());
  for (std::size_t lot = 0; lot < lots_.size(); ++lot) {
    ByteView left = lots_[lot];
    plan_.each_place(lot, 0, left.size(), [&](const archive::RunPlan::Place& place) {
      const ByteView part = left.first(place.size);
      streams_[place.stream].insert(streams_[place.stream].end(), part.begin(), part.end());
      left = left.subspan(place.size);
    });
    lots_[lot] = {};
  }
  lots_.clear();
  std::vector<BlockView> views;
  while (auto view = plan_.next_block()) {
    view->likely = likely_of(*view);
    view->may_read_prime = prime_limit_.next(view->bytes);
    views.push_back(std::move(*view));
  }
  return views;
}

bool ArchiveMaker::is_small(Last last, std::size_t blocks) const {
  return begun_ == Begun::no && last == Last::of_archive &&
         coding_.use == archive::ModelUse::none && !coding_.embedded_prime &&
         archive::may_be_small(run_, blocks);
}

void ArchiveMaker::write_small(std::span<const BlockView> views) {
  begun_ = Begun::small;
  std::optional<archive::Block> block;
  if (!views.empty()) block = std::move(encode(views).front());
  writer_.small(coding_.header(), run_.entries.front(), block);
}

void ArchiveMaker::write_records(std::span<const BlockView> views) {
  begin_archive();
  const ByteVector table = serialise(run_);
  BlockFigures ignored;
  writer_.run(tables_.encode(table, archive::view_of_bytes(table.size()), 0, ignored));
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(1, settings_.batch));
  for (; !views.empty(); views = views.subspan(std::min(most, views.size())))
    for (const archive::Block& block : encode(views.first(std::min(most, views.size()))))
      writer_.block(block);
}

// What the next run begins with is known when this one is written.
void ArchiveMaker::write_run(Last last) {
  run_.goes_on = last == Last::goes_on;
  close_recipe();
  close_decisions();
  find_groups();
  const std::vector<BlockView> views = cut_blocks();
  is_small(last, views.size()) ? write_small(views) : write_records(views);
  run_ = {.first = end_.members, .carried = {}, .goes_on = false, .entries = {}};
  if (last == Last::goes_on) run_.carried = 0;
  table_bytes_ = steps_ = 0;
  plan_ = archive::RunPlan(coding_.parameters.units);
  streams_.clear();
}

void ArchiveMaker::begin(const archive::Member& member) {
  LOGPX_ASSERT(member.meta.size() <= archive::max_meta_bytes);
  if (run_.carried && run_.entries.empty()) close_decisions();
  if (member.name.size() > archive::max_name_bytes)
    fail(ErrorKind::data, member.name.substr(0, 40) + "...", "has a name of over 4096 bytes");
  run_.entries.push_back({.member = member, .content = 0});
  table_bytes_ += member.name.size() + member.meta.size();
  ++end_.members;
}

void ArchiveMaker::append(std::size_t lot, ByteView bytes) {
  if (lots_.size() <= lot) lots_.resize(lot + 1);
  lots_[lot].insert(lots_[lot].end(), bytes.begin(), bytes.end());
}

void ArchiveMaker::take(const archive::MemberPlan& plan, archive::Piece piece) {
  if (plan_.size() >= archive::run_content_bytes) write_run(Last::goes_on);
  content() += piece.step.content;
  plan_.add(part(), plan, piece.step);
  const ByteView bytes = piece.bytes, shaped = bytes.first(piece.step.shaped);
  if (plan.for_model) coder_.check(shaped);
  if (!shaped.empty()) append(plan_.shaped_lot(plan), shaped);
  if (shaped.size() < bytes.size()) append(plan_.loose_lot(), bytes.subspan(shaped.size()));
}

void ArchiveMaker::take(archive::Unfolded unfolded) {
  if (!unfolded.decisions.empty()) writers_.add(unfolded.channel, unfolded.decisions);
  if (!unfolded.step) return;
  if (plan_.size() >= archive::run_content_bytes || steps_ >= archive::run_steps)
    write_run(Last::goes_on);
  const archive::RecipeStep& step = *unfolded.step;
  layers_.follow(step);
  folded_ = folded_ || layers_.height() > 0;
  content() += step.bytes;
  plan_.add(part(), step, layers_.streams());
  if (step.bytes > 0) append(plan_.lot_of(step, layers_.streams()), unfolded.content);
  std::vector<archive::RecipeStep>& steps = recipe_.steps;
  const bool goes_on = step.what == archive::RecipeStep::What::bytes && !steps.empty() &&
                       steps.back().what == step.what;
  if (goes_on) steps.back().bytes += step.bytes;
  else steps.push_back(step);
  steps_ += goes_on ? 0 : 1;
}

// Bytes that are the file's own need no recipe, as long as the member had none before.
void ArchiveMaker::close_recipe() {
  archive::Recipe recipe = std::exchange(recipe_, {});
  if (!folded_) {
    accounted_ += archive::content_bytes(recipe);
    return;
  }
  recipe.file_bytes = unfolded_ - std::exchange(accounted_, unfolded_);
  (run_.entries.empty() ? run_.carried_recipe : run_.entries.back().recipe) = std::move(recipe);
}

void ArchiveMaker::close_decisions() {
  const bool carried = run_.carried && run_.entries.empty();
  const ByteVector coded = writers_.take(carried ? run_.carried_decisions : run_.decisions);
  decisions_.insert(decisions_.end(), coded.begin(), coded.end());
}

bool ArchiveMaker::may_unfold(const archive::MemberPlan& plan) const {
  return settings_.unfold == Unfold::on && settings_.methods != Methods::store &&
         coding_.parameters.units.effort != archive::Effort::fast &&
         plan.kind == archive::MemberKind::bytes && !plan.for_model;
}

void ArchiveMaker::split(MemberInput& input) {
  archive::MemberSplitter splitter(input.member(), coding_.parameters.units, input.supply());
  for (archive::Piece piece; splitter.next(piece);) {
    take(splitter.plan(), std::move(piece));
    if (settings_.progress) settings_.progress(input.bytes_read());
  }
}

void ArchiveMaker::unfold(MemberInput& input) {
  archive::UnfoldBudget budget;
  archive::Unfolder unfolder(0, budget, [this](archive::Unfolded part) { take(std::move(part)); });
  const archive::ByteSupply supply = input.supply();
  folded_ = false;
  unfolded_ = accounted_ = 0;
  ByteVector bytes(bite);
  while (const std::size_t count = supply(bytes)) {
    unfolded_ += count;
    unfolder.add(ByteView(bytes).first(count));
    if (settings_.progress) settings_.progress(input.bytes_read());
  }
  (void)unfolder.finish();
  close_recipe();
  folded_ = false;
}

archive::MemberEnd ArchiveMaker::add(MemberInput& input) {
  try {
    begin(input.member());
    may_unfold(plan_member(input.member(), coding_.parameters.units)) ? unfold(input)
                                                                      : split(input);
    const archive::MemberEnd end = input.end();
    hash_.update(archive::bytes_of_hex(end.sha256));
    figures_.add_member(end.size, input.member());
    const bool full = plan_.size() >= archive::run_content_bytes ||
                      run_.entries.size() >= archive::run_members ||
                      table_bytes_ >= archive::run_table_bytes || steps_ >= archive::run_steps;
    if (full) write_run(Last::complete);
    return end;
  } catch (const Error& error) {
    // Errors in a block do not name the file.
    throw error.subject().empty() ? error.within(input.name()) : error;
  }
}

void ArchiveMaker::finish() {
  if (!run_.entries.empty() || run_.carried) write_run(Last::of_archive);
  if (begun_ != Begun::small) {
    begin_archive();
    end_.sha256 = hash_.hex();
    writer_.finish(end_);
  }
  figures_.archive_bytes = writer_.bytes();
}

}  // namespace logpx::compress
