// What pack-data does to rows between the foreign file and the dataset: choose, shuffle, binarise.
#pragma once

#include "formats/import/options.hpp"
#include "formats/import/spool.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/data/binarise.hpp"
#include "libcore/data/dataset.hpp"
#include "libcore/data/row_choice.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

// Rows A to B-1 of a stream, and of these the first `limit`. Later rows are not read.
class ChosenRows final : public RowStream {
 public:
  ChosenRows(RowStream& source, const RowChoice& choice);
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] bool next(Rows& rows) override;

 private:
  [[nodiscard]] bool skips_first() const { return range_.begin > 0; }
  void note_places();

  RowStream& source_;
  RowRange range_;
  DatasetInfo info_;
  std::int64_t end_, seen_ = 0;  // end_ after --limit
};

// All rows in the order permutation(n, bits) gives: row i is the source's row permutation[i]. They
// wait uncompressed in a file in `folder`.
class ShuffledRows final : public RowStream {
 public:
  ShuffledRows(RowStream& source, Substream bits, const std::filesystem::path& folder);
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] bool next(Rows& rows) override;

 private:
  void spool_all(RowStream& source);
  void take(std::uint32_t row, Rows& rows);

  DatasetInfo info_;
  bool knows_places_ = false;  // the stream said which row of the source each one is
  SpoolFile spool_;  // one row after the other: x, then y, length and place if there are any
  std::vector<std::string> smiles_;  // of molecules
  std::vector<std::uint32_t> order_;
  std::vector<std::byte> record_;
  std::size_t at_ = 0;
};

// Pixels of 256 levels to bits. Numbers its rows from 0.
class BinarisedRows final : public RowStream {
 public:
  BinarisedRows(RowStream& source, Binarisation rule);
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] bool next(Rows& rows) override;

 private:
  void describe();

  RowStream& source_;
  Binarisation rule_;
  DatasetInfo info_;
  std::uint64_t row_ = 0;
};

struct StageOptions {
  RowChoice rows;
  std::optional<std::int64_t> shuffle_seed;
  std::string split, binarise = "none";
  bool allow_overlap = false;

  void describe(Fields& fields);
  // Whether anything other than --binarise is asked for.
  [[nodiscard]] bool moves_rows() const;
  [[nodiscard]] std::vector<Split> splits_of(std::int64_t n) const;
};

// For --split-by and --group, whose rows come together and are neither chosen nor mixed one by one:
// a usage error for stages that would, and the seed for groups.
void settle_groups(StageOptions& stages, ImportOptions& import);

// The stages asked for, each on top of the one before.
class RowStages {
 public:
  RowStages(RowStream& source, const StageOptions& options,
            const std::filesystem::path& spool_folder);
  [[nodiscard]] RowStream& last() const { return *last_; }

 private:
  void add(std::unique_ptr<RowStream> stage);
  std::vector<std::unique_ptr<RowStream>> made_;
  RowStream* last_;
};

}  // namespace logpx
