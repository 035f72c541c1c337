#include "tools/archives/opened_archive.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/archives/names.hpp"

#include <utility>

namespace logpx::compress {

using archive::ArchiveHeader, archive::EmbeddedModel, archive::EmbeddedPrime, archive::Block,
    archive::BlockView, archive::ByteView, archive::Member, archive::MemberEnd, archive::RunPart;

// The reader knows places, not names.
std::optional<archive::Item> ArchiveOpener::next_item() {
  try {
    return reader_.next();
  } catch (const Error& error) {
    if (next_ && error.kind() == ErrorKind::data && reader_.is_at_block())
      throw error.within(members_of(*next_));
    throw;
  }
}

void ArchiveOpener::run() {
  const double start = wall_seconds();
  while (auto item = next_item()) {
    std::visit([this](auto&& part) { take(std::move(part)); }, std::move(*item));
    if (settings_.progress) settings_.progress(reader_.offset());
  }
  figures_.archive_bytes = reader_.offset();
  figures_.seconds = wall_seconds() - start;
}

void ArchiveOpener::take(ArchiveHeader&& header) {
  header_ = std::move(header);
  earlier_ += std::exchange(members_, 0);
  blocks_ = 0;
  all_wanted_ = true;
  hash_ = Sha256();
  tables_.emplace(BlockSettings{.memory = settings_.memory},
                  archive::CodingUnits{.effort = header_.effort});
  if (header_.model != archive::ModelUse::embedded && !header_.embeds_prime) start_coding(nullptr);
}

// Coded like a table of members.
void ArchiveOpener::take(EmbeddedPrime&& prime) {
  const Block& coded = prime.coded;
  if (coded.raw_bytes > settings_.memory)
    fail(ErrorKind::refused, "",
         "brings a prime of " + human_bytes(coded.raw_bytes) + " along, more than " +
             human_bytes(settings_.memory),
         "--memory allows more");
  try {
    prime_ = tables_->decode(coded, archive::view_of_bytes(coded.raw_bytes), 0);
  } catch (const Error& error) {
    throw error.kind() == ErrorKind::data ? error.within("embedded prime") : error;
  }
  if (header_.model != archive::ModelUse::embedded) start_coding(nullptr);
}

void ArchiveOpener::take(EmbeddedModel&& model) { start_coding(&model); }

void ArchiveOpener::start_coding(const EmbeddedModel* model) {
  coding_ = settings_.coding(header_, {.model = model, .prime = prime_ ? &*prime_ : nullptr});
  prime_.reset();
  coder_.emplace(
      BlockSettings{
          .scheme = coding_->scheme.get(), .memory = settings_.memory, .prime = coding_->prime},
      coding_->parameters.units);
  prime_limit_.emplace(coding_->prime.size(), header_.minor);
  batch_size_ = settings_.batch ? settings_.batch(coding_->parameters.units) : 1;
}

bool ArchiveOpener::is_wanted(const Member& member, std::uint64_t number) const {
  return !settings_.wanted || settings_.wanted(member, earlier_ + number);
}

void ArchiveOpener::begin(const Member& member) {
  const std::uint64_t held = held_bytes(plan_member(member, coding_->parameters.units));
  if (held > settings_.memory)
    fail(ErrorKind::refused, "member " + std::to_string(earlier_ + members_),
         "its pixels take " + human_bytes(held) + ", more than " + human_bytes(settings_.memory),
         "--memory allows more");
  sink_.begin(member, earlier_ + members_);
  joiner_.emplace(
      member, coding_->parameters.units, [this](archive::ByteView bytes) { write(bytes); },
      settings_.form);
}

void ArchiveOpener::write(archive::ByteView bytes) {
  written_ += bytes.size();
  if (written_ > settings_.max_output)
    fail(ErrorKind::data, reader_.place(),
         "more than " + human_bytes(settings_.max_output) + " comes out",
         "--max-output allows more");
  sink_.write(bytes);
}

void ArchiveOpener::end(const Member& member, const MemberEnd& found) {
  joiner_.reset();
  hash_.update(archive::bytes_of_hex(found.sha256));
  figures_.add_member(found.size, member);
  sink_.end(member);
}

// The members whose content a block holds: "a.pgm", "a.pgm to c.pgm".
std::string ArchiveOpener::members_of(const BlockView& view) const {
  const auto name = [](const RunPart& part) {
    return part.member.name.empty() ? "member " + std::to_string(part.number)
                                    : shown(part.member.name);
  };
  const RunPart *first = nullptr, *last = nullptr;
  run_->plan.each_share(view, [&](std::size_t part, std::uint64_t) {
    last = &run_->parts[part];
    if (first == nullptr) first = last;
  });
  return first == last ? name(*first) : name(*first) + " to " + name(*last);
}

void ArchiveOpener::take(archive::CodedRun&& coded) {
  close_run();
  const Block& table = coded.table;
  archive::Run run;
  try {
    run = archive::parse_run(
        tables_->decode(table, archive::view_of_bytes(table.raw_bytes), blocks_));
  } catch (const Error& error) {
    throw error.within("table of members after " + reader_.place());
  }
  std::optional<RunPart> open;
  if (run_ && !run_->parts.empty() && run_->parts.back().goes_on)
    open = std::move(run_->parts.back());
  run_ = open_run(std::move(run), coding_->parameters.units, std::move(open), members_);
  choose_needed();
  next_ = run_->plan.next_block();
  streams_.assign(run_->plan.streams(), {});
  taken_.assign(run_->plan.lots(), 0);
  part_ = 0;
  read_ = Read::none;
  join();
}

// Decisions are read in order: a member with a recipe needs those before it in its run.
void ArchiveOpener::choose_needed() {
  const std::vector<RunPart>& parts = run_->parts;
  needed_.assign(parts.size(), false);
  bool later = false;
  for (std::size_t i = parts.size(); i-- > 0;) {
    const bool wanted = is_wanted(parts[i].member, parts[i].number);
    const bool begins = parts[i].number > members_;
    needed_[i] = wanted || (later && begins && parts[i].recipe);
    later = later || (needed_[i] && parts[i].recipe);
  }
}

// Checks that nothing of a run is missing.
void ArchiveOpener::close_run() {
  decode_batch();
  if (next_)
    fail(ErrorKind::data, reader_.place(), "is followed by no block of " + members_of(*next_));
}

ArchiveOpener::Waiting ArchiveOpener::next_of_run(Block&& block) {
  if (!next_) fail(ErrorKind::data, reader_.place(), "belongs to no member");
  Waiting waiting{.block = std::move(block), .view = std::move(*next_)};
  waiting.block.raw_bytes = waiting.view.bytes;
  waiting.block.items = waiting.view.items;
  if (!prime_limit_->next(waiting.view.bytes) && waiting.block.form.reads_before)
    fail(ErrorKind::data, reader_.place(), "reads its prime more often than an archive may");
  if (settings_.wanted) {
    waiting.wanted = false;
    run_->plan.each_share(waiting.view, [&](std::size_t at, std::uint64_t) {
      waiting.wanted = waiting.wanted || needed_[at];
    });
  }
  next_ = run_->plan.next_block();
  return waiting;
}

void ArchiveOpener::take(Block&& block) {
  batch_.push_back(next_of_run(std::move(block)));
  if (std::ssize(batch_) == batch_size_) decode_batch();
}

void ArchiveOpener::decode_batch() {
  std::vector<archive::ByteVector> raw(batch_.size());
  const double start = wall_seconds();
  workers_.run(std::ssize(batch_), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const Waiting& waiting = batch_[at];
    const std::uint64_t number = blocks_ + at;
    try {
      if (waiting.wanted) raw[at] = coder_->decode(waiting.block, waiting.view, number);
      else raw[at].resize(waiting.view.bytes);
    } catch (const Error& error) {
      throw error.within("block " + std::to_string(number + 1)).within(members_of(waiting.view));
    }
  });
  figures_.coding_seconds += wall_seconds() - start;
  blocks_ += batch_.size();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const Waiting& waiting = batch_[i];
    BlockFigures figures;
    if (waiting.wanted) figures.dims = coder_->dims_of(waiting.block, raw[i]);
    figures_.add(waiting.block, figures);
    archive::ByteVector& stream = streams_[batch_[i].view.stream];
    stream.insert(stream.end(), raw[i].begin(), raw[i].end());
  }
  batch_.clear();
  if (run_) join();
}

std::optional<archive::ByteVector> ArchiveOpener::next_of(std::size_t lot,
                                                          std::uint64_t size) const {
  archive::ByteVector found;
  bool all = true;
  if (size == 0) return found;
  run_->plan.each_place(lot, taken_[lot], size, [&](const archive::RunPlan::Place& place) {
    const ByteView decoded = streams_[place.stream];
    all = all && decoded.size() >= place.begin + place.size;
    if (!all) return;
    const ByteView part = decoded.subspan(place.begin, place.size);
    found.insert(found.end(), part.begin(), part.end());
  });
  return all ? std::optional(std::move(found)) : std::nullopt;
}

// False while some of it is still to be decoded.
bool ArchiveOpener::join_walk(RunPart& part) {
  while (part.left > 0) {
    archive::ContentWalk walk = part.walk;
    const archive::ContentWalk::Step step = walk.next(part.left);
    const std::size_t shaped = step.shaped > 0 ? run_->plan.shaped_lot(part.plan) : 0,
                      loose = step.loose > 0 ? run_->plan.loose_lot() : 0;
    const auto items = next_of(shaped, step.shaped), rest = next_of(loose, step.loose);
    if (!items || !rest) return false;
    if (joiner_) joiner_->add(*items);
    if (joiner_) joiner_->add(*rest);
    if (step.shaped > 0) taken_[shaped] += step.shaped;
    if (step.loose > 0) taken_[loose] += step.loose;
    made_ += step.content;
    part.walk = std::move(walk);
    part.left -= step.content;
  }
  return true;
}

// Those of the member that goes on here stand in front of the others.
bool ArchiveOpener::read_decisions(const RunPart& part) {
  const bool carried = run_->carries && &part == &run_->parts.front();
  const Read wanted = carried ? Read::carried : Read::all;
  if (read_ == wanted) return true;
  const std::uint64_t before = total_bytes(run_->carried_decisions);
  const std::uint64_t size = before + total_bytes(run_->decisions);
  const auto coded = next_of(size == 0 ? 0 : run_->plan.decision_lot(), size);
  if (!coded) return false;
  const bool last_carried = run_->carries && run_->parts.size() == 1;
  const bool goes_on = run_->parts.back().goes_on && carried == last_carried;
  if (!carried) readers_.clear();
  const ByteView decisions = *coded;
  readers_.add(carried ? decisions.first(before) : decisions.subspan(before),
               carried ? run_->carried_decisions : run_->decisions,
               goes_on ? ChannelReaders::Last::goes_on : ChannelReaders::Last::complete);
  read_ = wanted;
  return true;
}

bool ArchiveOpener::join_recipe(RunPart& part) {
  const bool needed = needed_[part_];
  if (needed && !read_decisions(part)) return false;
  if (needed && !refolder_)
    refolder_.emplace(readers_.decisions(), [this, number = part.number](ByteView bytes) {
      made_ += bytes.size();
      if (made_ > run_->parts[part_].content)
        fail(ErrorKind::data, "member " + std::to_string(number), "is longer than its recipe says");
      if (joiner_) joiner_->add(bytes);
    });
  for (; part.step < part.recipe->steps.size(); ++part.step) {
    const archive::RecipeStep& step = part.recipe->steps[part.step];
    archive::OpenLayers layers = part.layers;
    layers.follow(step);
    const std::size_t lot = step.bytes == 0 ? 0 : run_->plan.lot_of(step, layers.streams());
    const auto content = next_of(lot, step.bytes);
    if (!content) return false;
    if (needed) refolder_->follow(step, *content);
    if (step.bytes > 0) taken_[lot] += step.bytes;
    part.layers = std::move(layers);
  }
  return true;
}

// Joins all members that can be joined by now.
void ArchiveOpener::join() {
  for (; part_ < run_->parts.size(); ++part_) {
    RunPart& part = run_->parts[part_];
    const bool wanted = is_wanted(part.member, part.number);
    if (part.number > members_) {
      ++members_;
      made_ = 0;
      refolder_.reset();
      if (wanted) begin(part.member);
      else all_wanted_ = false;
    }
    if (!(part.recipe ? join_recipe(part) : join_walk(part)) || part.goes_on) return;
    if (part.recipe && needed_[part_] && made_ != part.content)
      fail(ErrorKind::data, "member " + std::to_string(part.number),
           "is shorter than its recipe says");
    if (!wanted) continue;
    const MemberEnd found = joiner_->finish();
    if (part.member.kind == archive::MemberKind::own_png && part.member.size != found.size)
      fail(ErrorKind::data, "member " + std::to_string(part.number),
           "has " + std::to_string(found.size) + " bytes, expected " +
               std::to_string(part.member.size.value_or(0)));
    end(part.member, found);
  }
}

void ArchiveOpener::take(archive::ArchiveEnd&& end) {
  close_run();
  if (run_ && !run_->parts.empty() && run_->parts.back().goes_on)
    fail(ErrorKind::data, "end record", "stands where a member goes on");
  run_.reset();
  if (end.members != members_)
    fail(ErrorKind::data, "end record",
         "names " + std::to_string(end.members) + " members, found " + std::to_string(members_));
  if (all_wanted_ && !hash_.hex().starts_with(end.sha256))
    fail(ErrorKind::data, "", "the SHA-256 of its members differs");
}

}  // namespace logpx::compress
