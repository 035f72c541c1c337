// What a model does in one run, as an object: a plan of scoring or of sampling (that of coding is
// in codec.hpp). A plan describes its knobs, refuses contradictions, and does the work. Help shows
// options before any model is read, so a family lists the same knobs without a model.
//
//   const std::unique_ptr<ScoringPlan> plan = can.scoring("elbo");
//   plan->describe(fields);  fields.set("samples=10", Origin::option);
//   plan->settle();
//   const Scores scores = plan->score(examples, rng);
#pragma once

#include "libcore/base/fields.hpp"
#include "libcore/math/tensor_ref.hpp"
#include "libcore/model/model.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

class Completion;
class Workers;

enum class Job { score, sample, code };

// Settings of one job, for help, manual and completions; a plan holds the same struct. Their names
// are those of the options.
struct Knobs {
  virtual ~Knobs() = default;
  virtual void describe(Fields& fields) = 0;
};
// Knobs from any struct that has describe().
template <typename Settings>
struct KnobsOf final : Knobs {
  Settings settings;
  void describe(Fields& fields) override { settings.describe(fields); }
};

// Two knobs that many ways of scoring have: draws per example, and how many are held at a time.
void add_samples(Fields& fields, std::int64_t& samples);
void add_chunk(Fields& fields, std::int64_t& chunk);  // 0: the method's own

// Facts that are the points of one curve, one column for each point: "E_0", "E_1" ...
struct FactCurve {
  std::string name, x_name;                            // "E" over "temps", as a report has them
  std::string title = {}, x_label = {}, y_label = {};  // how it is drawn; not without a title
  std::vector<double> x = {};
  [[nodiscard]] std::string column(std::size_t point) const {
    return name + '_' + std::to_string(point);
  }
};

// A curve that a report draws; a NaN in y leaves a gap.
struct DrawnCurve {
  std::string name, x_label, y_label;
  std::vector<double> x = {}, y = {};
};

class ScoringPlan {
 public:
  virtual ~ScoringPlan() = default;
  virtual void describe(Fields& fields) { static_cast<void>(fields); }
  // Checks what describe() was given; a usage error that names an option.
  virtual void settle() {}
  // Several threads call it at once; a row depends on its block and on rng only.
  [[nodiscard]] virtual Scores score(const Examples& examples, Rng rng) const = 0;

  // How many consecutive rows of those that are scored form one sequence, which score() is given as
  // a whole; 0: rows are independent.
  [[nodiscard]] virtual std::int64_t joined_rows(std::int64_t rows) const {
    return static_cast<void>(rows), 0;
  }

  // Draws, weights or orders per example; 0 if the method has none.
  [[nodiscard]] virtual std::int64_t draws() const { return 0; }
  // What a report says about the method: its own words for some of the knobs, by their keys.
  using ReportedKnobs = std::vector<std::pair<std::string, std::string>>;
  [[nodiscard]] virtual ReportedKnobs reported() const { return {}; }
  // What a user should know before trusting scores with these facts; by default, that effective
  // samples ("ess") are few at many examples.
  [[nodiscard]] virtual std::vector<std::string> doubts(const Scores::Columns& facts) const;
  [[nodiscard]] virtual std::vector<FactCurve> curves() const { return {}; }
  // Curves from the tallies of all rows.
  [[nodiscard]] virtual std::vector<DrawnCurve> drawn(const Scores::Columns& tallies) const {
    return static_cast<void>(tallies), std::vector<DrawnCurve>();
  }
  // Yes-or-no statements about the facts of all rows, by name.
  using Verdicts = std::vector<std::pair<std::string, bool>>;
  [[nodiscard]] virtual Verdicts verdicts(const Scores::Columns& facts) const {
    return static_cast<void>(facts), Verdicts();
  }
  // Estimates that the knobs ask for besides scores, by name, on so many examples that the model
  // drew.
  using Asides = std::vector<std::pair<std::string, Estimate>>;
  [[nodiscard]] virtual Asides asides(std::int64_t examples, Rng rng, Workers& workers) const {
    return static_cast<void>(examples), static_cast<void>(rng), static_cast<void>(workers),
           Asides();
  }
};

// Named data that belong to each sample besides its row: "latent", "order" ... [count, shape]
struct SampleCode {
  std::string name;
  Shape shape = {};  // of one sample; a scalar: one number each
  NumberType type = NumberType::f32;
  std::vector<std::byte> bytes = {};

  template <typename T>
  static SampleCode of(std::string name, Shape shape, std::span<const T> values) {
    const auto bytes = std::as_bytes(values);
    return {std::move(name), shape, number_type_of<T>(), {bytes.begin(), bytes.end()}};
  }
  template <typename T>
  [[nodiscard]] std::span<const T> values() const {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  [[nodiscard]] TensorRef tensor(std::int64_t count);  // [count, shape], as files take it
};
struct SampleChunk {
  Rows rows;
  std::vector<SampleCode> codes;
};
// Appends the same codes of further samples.
void append_codes(std::vector<SampleCode>& codes, const std::vector<SampleCode>& next);

class SamplingPlan {
 public:
  virtual ~SamplingPlan() = default;
  virtual void describe(Fields& fields) { static_cast<void>(fields); }
  virtual void settle() {}
  [[nodiscard]] virtual DatasetInfo rows() const = 0;  // the info of what it makes, labels included
  [[nodiscard]] virtual bool gives_means() const { return false; }        // of p(x|z), not draws
  [[nodiscard]] virtual std::int64_t rows_per_item() const { return 1; }  // frames of a trajectory
  // What completes rows of which a part is known (completion.hpp); null if it cannot.
  [[nodiscard]] virtual Completion* completion() { return nullptr; }
  // How long a whole block takes one thread, from a trial of a part of it; 0: not known.
  [[nodiscard]] virtual double block_seconds() const { return 0; }
  // The items first .. last-1, in one block of the model; several threads call it at once.
  [[nodiscard]] virtual SampleChunk make(std::int64_t first, std::int64_t last, Rng rng) const = 0;
};

}  // namespace logpx
