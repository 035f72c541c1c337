// classifier:D: hidden units and logits of a small network that tells classes apart.
//
//   three 3x3 convolutions of stride 2 (32, 64, 128 channels), mean over space, D units with ReLU:
//   the features; a dense layer to the classes: the logits
//
// It is fitted by cross-entropy: 3 epochs of Adam with rate 1e-3.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/features/kinds.hpp"
#include "libcore/features/net_extractor.hpp"
#include "libcore/features/unit_rows.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/nn/conv.hpp"
#include "libcore/nn/linear.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::int64_t classifier_channels[] = {32, 64, 128};
constexpr std::int64_t most_classes = 10000, fit_epochs = 3, rows_of_accuracy = 64;
constexpr double poor_accuracy = 0.5;

// The rows of a fit, and how many classes their labels tell apart.
struct LabelledRows {
  HeldRows held;
  std::int64_t classes = 0;
};

LabelledRows read_labelled(RowStream& stream) {
  LabelledRows all;
  Rows& rows = all.held.rows;
  for (Rows some; stream.next(some);) {
    rows.x.insert(rows.x.end(), some.x.begin(), some.x.end());
    rows.y.insert(rows.y.end(), some.y.begin(), some.y.end());
    rows.count += some.count;
  }
  all.held.info = stream.info();
  const std::string& name = all.held.info.name;
  LOGPX_ASSERT(std::ssize(rows.y) == rows.count && rows.count > 0);
  const auto [least, largest] = std::ranges::minmax_element(rows.y);
  if (*least < 0 || *largest >= most_classes)
    fail(ErrorKind::data, name,
         "has label " + std::to_string(*least < 0 ? *least : *largest) + ", and classes are 0 to " +
             std::to_string(most_classes - 1));
  if (*least == *largest)
    fail(ErrorKind::data, name,
         "has rows of class " + std::to_string(*least) + " alone, and a classifier needs two");
  all.classes = std::max<std::int64_t>(*largest + 1, std::ssize(all.held.info.label_names));
  return all;
}

// Cross-entropy of the labels: one phase over the rows, by the loop of all training.
class ClassifierTask final : public TrainingTask {
 public:
  ClassifierTask(ParamSet& params, const HeldRows& rows, const DatasetInfo& wanted,
                 const std::function<Var(Var)>& logits)
      : params_(params),
        rows_(rows),
        phase_({},
               {.build =
                    [&wanted, logits](std::int64_t count, std::int64_t) {
                      auto graph = std::make_unique<Graph>();
                      const Var x = graph->input("x", picture_shape(wanted, count));
                      const Var y = graph->index_input("y", {count});
                      graph->output("loss", -categorical_log_prob(logits(x), y));
                      return graph;
                    },
                .bind = [this, &wanted](const Shard& shard,
                                        GraphInputs& inputs) { bind(shard, wanted, inputs); }}) {}

  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return rows_.rows.count; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {&phase_}; }
  [[nodiscard]] ShardGrain grain() const override { return ShardGrain::heavy; }

 private:
  void bind(const Shard& shard, const DatasetInfo& wanted, GraphInputs& inputs) const {
    const std::int64_t dims = wanted.dims();
    for (std::size_t i = 0; i < shard.rows.size(); ++i) {
      const std::int64_t row = shard.rows[i];
      const Rows one = slice_rows(rows_.rows, row, row + 1);
      unit_rows({rows_.info, one, row}, wanted, inputs.values("x").subspan(i * at(dims), at(dims)));
      inputs.indices("y")[i] = rows_.rows.y[at(row)];
    }
  }

  ParamSet& params_;
  const HeldRows& rows_;
  GraphPhase phase_;
};

class FitProgress final : public TrainingSink {
 public:
  explicit FitProgress(const std::function<void(double)>& tell) : tell_(tell) {}
  void save(const Checkpoint&) override {}
  void append(const HistoryLine&) override {}
  void show(const TrainingProgress& now) override {
    if (tell_) tell_(static_cast<double>(now.step) / static_cast<double>(now.steps));
  }

 private:
  const std::function<void(double)>& tell_;
};

class Classifier final : public NetExtractor {
 public:
  Classifier(const ExtractorWords& words, const ExtractorParts& parts)
      : NetExtractor({.name = words.text, .data = parts.data, .width = words.numbers[0]}) {
    if (parts.tensors.empty()) return;
    build(stored_classes(parts.tensors), Rng(0));
    fill_tensors(tensors(), parts.tensors);
  }

  FitReport fit(RowStream& rows, const FitMachine& machine) override {
    const LabelledRows all = read_labelled(rows);
    build(all.classes, machine.rng);
    ClassifierTask task(params_, all.held, info_.data, [this](Var x) { return *nodes(x).logits; });
    TrainOptions options;
    options.epochs = static_cast<double>(fit_epochs);
    options.batch = std::min(options.batch, all.held.rows.count);
    FitProgress progress(machine.progress);
    const std::unique_ptr<Ranks> alone = join_ranks();
    TrainingLoop loop(task, options, {machine.workers, *alone},
                      {.seed = machine.rng.seed(), .checkpoint_every = {}, .sink = &progress});
    static_cast<void>(loop.run());
    FitReport report;
    const double right = accuracy(all.held, machine.workers);
    report.facts = {{"accuracy", right}};
    if (right < poor_accuracy)
      report.concerns.push_back("the classifier knows the class of only " +
                                four_digits(100 * right) + " % of the " +
                                std::to_string(all.held.rows.count) +
                                " rows that it was fitted on; more rows make better features");
    return report;
  }

  [[nodiscard]] std::vector<TensorRef> tensors() override {
    std::vector<TensorRef> list;
    for (int i = 0; i < params_.count(); ++i)
      list.push_back(TensorRef::of(params_.infos()[at(i)].name, params_.view(i).span(),
                                   params_.infos()[at(i)].shape));
    return list;
  }

 private:
  void build(std::int64_t classes, const Rng& rng) {
    Initialisers initialisers;
    const Site site(params_, initialisers);
    const Init he{Init::Rule::he_normal};
    std::int64_t in = info_.data.shape[2];
    for (const std::int64_t out : classifier_channels) {
      convolutions_.emplace_back(
          site / ("conv" + std::to_string(convolutions_.size() + 1)), in, out,
          ConvLayerOptions{.stride = 2, .activation = Activation::relu, .weights = he});
      in = out;
    }
    units_.emplace(site / "units", in, info_.width,
                   LinearOptions{.activation = Activation::relu, .weights = he});
    classes_.emplace(site / "classes", info_.width, classes);
    initialisers.run(params_, rng);
    info_.classes = classes;
  }

  [[nodiscard]] static std::int64_t stored_classes(const std::vector<TensorRef>& tensors) {
    const Shape& shape = StoredWeights(tensors).find("classes/b").shape;
    const std::int64_t classes = shape.rank() == 1 ? shape[0] : 0;
    if (classes < 2 || classes > most_classes)
      fail(ErrorKind::data, "classes/b", "has shape " + shape.text() + ", expected [classes]");
    return classes;
  }

  [[nodiscard]] Outputs nodes(Var x) const override {
    for (const Conv2d& convolution : convolutions_) x = convolution(params_, x);
    const Shape maps = x.shape();
    const Var units = (*units_)(params_, mean(x.reshape({maps[0], maps[1], maps[2] * maps[3]}), 2));
    return {.features = units, .logits = (*classes_)(params_, units)};
  }

  // The accuracy on the rows that it was fitted on.
  [[nodiscard]] double accuracy(const HeldRows& held, Workers& workers) const {
    const std::int64_t count = held.rows.count,
                       blocks = (count + rows_of_accuracy - 1) / rows_of_accuracy;
    std::vector<std::int64_t> right(at(blocks));
    workers.run(blocks, [&](std::int64_t block) {
      const std::int64_t first = block * rows_of_accuracy,
                         last = std::min(count, first + rows_of_accuracy);
      const Rows part = slice_rows(held.rows, first, last);
      std::vector<float> units(at(part.count * info_.width)),
          logits(at(part.count * info_.classes));
      extract({held.info, part, first}, {units, logits});
      for (std::int64_t i = 0; i < part.count; ++i) {
        const auto row = std::span(logits).subspan(at(i * info_.classes), at(info_.classes));
        right[at(block)] += std::ranges::max_element(row) - row.begin() == part.y[at(i)] ? 1 : 0;
      }
    });
    std::int64_t sum = 0;
    for (const std::int64_t of_block : right) sum += of_block;
    return static_cast<double>(sum) / static_cast<double>(count);
  }

  std::vector<Conv2d> convolutions_;
  std::optional<Linear> units_, classes_;
};

}  // namespace

std::unique_ptr<Extractor> make_classifier(const ExtractorWords& words, ExtractorParts parts) {
  require_pictures(parts.data, words.text);
  return std::make_unique<Classifier>(words, parts);
}

}  // namespace logpx
