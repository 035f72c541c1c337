// Judges samples by the options of fid-extrapolate: the real side is prepared once and serves every
// set of samples.   [eval/README 10]
//
//   Judge judge(app, options, real);
//   const Judgement a = judge.of(samples);
#pragma once

#include "formats/feature_set.hpp"
#include "libcore/judge/extrapolation.hpp"
#include "libcore/judge/frechet.hpp"
#include "libcore/judge/kernel_distance.hpp"
#include "libcore/judge/neighbours.hpp"
#include "libcore/judge/subset_scores.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

// The options of fid-extrapolate: which scores, at which sizes, with which intervals.
// [eval/README 10]

class Fields;

enum class KidMode { full, subsets };

struct JudgeOptions {
  std::vector<std::string> metrics = {"fid", "kid"};
  std::int64_t neighbours = 5;
  std::string sizes;  // empty: from the number of rows
  SubsetKind subset = SubsetKind::shuffle;
  std::int64_t repeats = 1;
  bool symmetric = false, weighted = false;
  KidMode kid_mode = KidMode::full;
  KernelSubsets kid_subsets;
  std::int64_t kid_degree = 3;
  std::optional<double> kid_gamma;  // none: 1/d
  double kid_coef0 = 1;
  std::optional<std::int64_t> bootstrap;  // none: 100 where d <= 256, else 0
  double level = 0.95;

  void describe(Fields& fields);
  // A usage error for unknown metrics, and for options without effect.
  void check(const Fields& fields) const;
  [[nodiscard]] bool asks(const std::string& metric) const;

  // Sizes for so many rows of `d` features; `who` names them in messages.
  struct Rows {
    std::string who;
    std::int64_t n = 0, d = 0;
  };
  [[nodiscard]] SubsetPlan plan(const Rows& rows) const;
  [[nodiscard]] ExtrapolationSettings settings(std::int64_t d) const;
  [[nodiscard]] PolynomialKernel kernel(std::int64_t d) const;
};

class App;

struct Judgement {
  struct Line {
    std::string metric;  // "fid"
    Extrapolation told;
  };
  std::int64_t n = 0, d = 0;
  std::vector<Line> lines = {};
  std::optional<KernelDistance> kid_full = {};
  std::vector<double> kid_subsets = {};  // one value for each subset of all rows
  std::optional<NeighbourScores> neighbours = {};
  SideCounts neighbour_rows = {};  // that took part
  std::int64_t clipped = 0;

  [[nodiscard]] const Extrapolation* find(const std::string& metric) const;
};

class Judge {
 public:
  // Keeps a reference to `real`. A usage error if requested metrics are impossible with it.
  Judge(App& app, const JudgeOptions& options, const FeatureSet& real);

  // A data error if features of both cannot be compared.
  [[nodiscard]] Judgement of(const FeatureSet& fake);
  // Refuses what of() would refuse, before any computing.
  void check(const FeatureSet& fake) const;
  [[nodiscard]] const std::vector<std::string>& metrics() const { return options_.metrics; }

 private:
  void add_fid(Judgement& judgement, const FeatureSet& fake);
  void add_kid(Judgement& judgement, const FeatureSet& fake) const;
  void add_neighbours(Judgement& judgement, const FeatureSet& fake) const;
  [[nodiscard]] Extrapolation told(SubsetScore& score, const FeatureSet& fake,
                                   const std::string& metric) const;
  [[nodiscard]] SubsetPlan plan(const FeatureSet& fake) const;

  App& app_;
  JudgeOptions options_;
  const FeatureSet& real_;
  std::optional<FrechetReference> frechet_;  // made at first use
};

// A table of sizes and scores that were measured elsewhere: columns N and score.
[[nodiscard]] std::vector<ScorePoint> read_score_points(App& app, const std::string& path);

}  // namespace logpx
