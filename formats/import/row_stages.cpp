#include "formats/import/row_stages.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/data/splits.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

void append_numbers(std::vector<std::int64_t>& numbers, std::int64_t first, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(first + i);
}

}  // namespace

ChosenRows::ChosenRows(RowStream& source, const RowChoice& choice)
    : source_(source), range_(choice.range.value_or(RowRange{})), info_(source.info()) {
  end_ = range_.end < 0 ? no_end : range_.end;
  if (choice.limit)
    end_ = std::min(end_, range_.begin + std::min(*choice.limit, no_end - range_.begin));
  if (end_ <= range_.begin) fail(ErrorKind::usage, "", "--rows and --limit leave no rows");
  note_places();
}

// A row's number here is its number in the source, unless rows before it are left out.
void ChosenRows::note_places() { info_.has_source_rows |= skips_first(); }

bool ChosenRows::next(Rows& rows) {
  while (seen_ < end_ && source_.next(rows)) {
    stop::check();
    const std::int64_t first = seen_;
    seen_ += rows.count;
    const std::int64_t begin = std::clamp<std::int64_t>(range_.begin - first, 0, rows.count);
    const std::int64_t end = std::min(rows.count, end_ - first);
    info_ = source_.info();
    note_places();
    if (begin == end) continue;
    rows = slice_rows(rows, begin, end);
    if (skips_first() && !source_.info().has_source_rows)
      append_numbers(rows.source, first + begin, rows.count);
    return true;
  }
  info_ = source_.info();
  note_places();
  info_.n = std::min(seen_, end_) - range_.begin;
  const std::int64_t wanted = range_.end < 0 ? range_.begin + 1 : range_.end;
  if (seen_ < wanted && seen_ < end_)
    fail(ErrorKind::usage, "",
         "--rows " + to_text(range_) + " reaches beyond the " + std::to_string(seen_) + " rows");
  return false;
}

ShuffledRows::ShuffledRows(RowStream& source, Substream bits, const std::filesystem::path& folder)
    : info_(source.info()), spool_(folder) {
  spool_all(source);
  info_ = source.info();
  info_.has_source_rows = true;
  if (info_.n > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::data, "", "--shuffle-seed takes at most 4294967295 rows");
  order_ = permutation(static_cast<std::uint32_t>(info_.n), bits);
}

void ShuffledRows::spool_all(RowStream& source) {
  knows_places_ = info_.has_source_rows;
  std::vector<std::byte> chunk;
  for (Rows rows; source.next(rows);) {
    stop::check();
    chunk.clear();
    const std::size_t width = rows.x.size() / static_cast<std::size_t>(rows.count);
    const auto append = [&chunk](const auto& column, std::size_t i) {
      if (column.empty()) return;
      const auto bytes = std::as_bytes(std::span(column).subspan(i, 1));
      chunk.insert(chunk.end(), bytes.begin(), bytes.end());
    };
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows.count); ++i) {
      const auto x = std::span(rows.x).subspan(i * width, width);
      chunk.insert(chunk.end(), x.begin(), x.end());
      append(rows.y, i);
      append(rows.length, i);
      append(rows.source, i);
    }
    record_.resize(chunk.size() / static_cast<std::size_t>(rows.count));
    spool_.append(chunk);
    smiles_.insert(smiles_.end(), rows.smiles.begin(), rows.smiles.end());
  }
}

void ShuffledRows::take(std::uint32_t row, Rows& rows) {
  spool_.read_at(std::uint64_t{row} * record_.size(), record_);
  const std::size_t width = info_.row_bytes();
  rows.x.insert(rows.x.end(), record_.begin(),
                record_.begin() + static_cast<std::ptrdiff_t>(width));
  std::size_t at = width;
  const auto take_into = [&]<typename T>(std::vector<T>& column) {
    T value{};
    std::memcpy(&value, record_.data() + at, sizeof value);
    at += sizeof value;
    column.push_back(value);
  };
  if (info_.has_labels) take_into(rows.y);
  // If no row was short, the spooled lengths are not needed.
  if (info_.has_lengths) take_into(rows.length);
  // The row's place in the source is last in its record.
  at = record_.size() - (knows_places_ ? sizeof(std::int64_t) : 0);
  if (knows_places_) take_into(rows.source);
  else rows.source.push_back(row);
  if (info_.has_smiles) rows.smiles.push_back(smiles_[row]);
  ++rows.count;
}

bool ShuffledRows::next(Rows& rows) {
  rows = {};
  while (at_ < order_.size() && rows.x.size() < RowStream::chunk_bytes) take(order_[at_++], rows);
  return rows.count > 0;
}

BinarisedRows::BinarisedRows(RowStream& source, Binarisation rule) : source_(source), rule_(rule) {
  LOGPX_ASSERT(rule.rule != Binarise::none);
  if (rule.rule == Binarise::dynamic)
    fail(ErrorKind::usage, "--binarise",
         "dynamic draws anew in each epoch: give it to the training tool",
         "--binarise static or threshold");
  describe();
}

void BinarisedRows::describe() {
  info_ = source_.info();
  if (info_.levels == 0 && info_.shape.empty()) return;  // not known yet
  if (info_.levels != 256 || info_.element != Element::u8)
    fail(ErrorKind::data, "",
         "--binarise needs values 0..255, these are " + std::string(word_of(info_.content)) +
             " of " + std::to_string(info_.levels) + " levels");
  info_.levels = 2;
  info_.value_max = 1;
}

bool BinarisedRows::next(Rows& rows) {
  const bool more = source_.next(rows);
  describe();
  if (!more) return false;
  const std::span<std::uint8_t> x = rows.values<std::uint8_t>();
  if (rule_.rule == Binarise::threshold) binarise_by_threshold(x, rule_.threshold);
  else binarise_by_draw(x, row_ * static_cast<std::uint64_t>(info_.dims()), evaluation_bits());
  row_ += static_cast<std::uint64_t>(rows.count);
  return true;
}

void StageOptions::describe(Fields& f) {
  f.group("rows");
  rows.describe(f, "keep");
  f.add("shuffle-seed", shuffle_seed, "permute the rows before cutting splits")
      .at_least(0)
      .rank(Rank::manual);
  f.add("split", split, "named rows: NAME:COUNT, NAME:80%, NAME:rest, NAME:A-B")
      .about(
          "Training takes the split train where there is one, validation valid, and scores test. "
          "Rows are taken from the front: shuffle a table that is sorted (--shuffle-seed).")
      .metavar("SPEC");
  f.add("allow-overlap", allow_overlap, "splits may share rows").rank(Rank::manual);
  f.add("binarise", binarise, "store bits: threshold, threshold:T or static")
      .rank(Rank::manual)
      .metavar("RULE");
}

bool StageOptions::moves_rows() const { return rows.chosen() || shuffle_seed || !split.empty(); }

std::vector<Split> StageOptions::splits_of(std::int64_t n) const {
  return parse_splits(split, n, allow_overlap ? Overlap::allow : Overlap::refuse);
}

void settle_groups(StageOptions& stages, ImportOptions& import) {
  const auto refuse = [](const char* option, bool wrong, const char* others) {
    if (wrong) fail(ErrorKind::usage, "", std::string(option) + " excludes " + others);
  };
  constexpr const char* movers = "--split, --rows, --limit and --shuffle-seed";
  const bool moved = stages.moves_rows();
  refuse("--split-chars", !import.split_chars.empty() && moved, movers);
  refuse("--test-index", !import.test_index.empty() && moved, movers);
  refuse("--split-by", !import.split_by.empty() && moved, movers);
  if (import.group.empty() || !import.split_by.empty()) return;  // both: refused by the reader
  refuse("--group", stages.rows.chosen(), "--rows and --limit");
  if (stages.split.empty())
    fail(ErrorKind::usage, "--group", "needs --split, which it keeps whole");
  import.group_seed = std::exchange(stages.shuffle_seed, std::nullopt);
}

RowStages::RowStages(RowStream& source, const StageOptions& o,
                     const std::filesystem::path& spool_folder)
    : last_(&source) {
  const Binarisation bits = parse_binarisation(o.binarise);
  if (o.rows.chosen()) add(std::make_unique<ChosenRows>(*last_, o.rows));
  if (o.shuffle_seed) {
    const Rng rng(static_cast<std::uint64_t>(*o.shuffle_seed));
    add(std::make_unique<ShuffledRows>(*last_, rng.stream(Stream::shuffle), spool_folder));
  }
  if (bits.rule != Binarise::none) add(std::make_unique<BinarisedRows>(*last_, bits));
}

void RowStages::add(std::unique_ptr<RowStream> stage) {
  last_ = stage.get();
  made_.push_back(std::move(stage));
}

}  // namespace logpx
