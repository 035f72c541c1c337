#include "tools/sessions/feature_source.hpp"

#include "formats/dataset_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/index.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/extractor_store.hpp"
#include "tools/sessions/row_operand.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr std::int64_t array_rows_at_once = 1024, rows_fitted_at_once = 64,
                       most_blocks_at_once = 16;
constexpr std::int64_t stretch_bytes = std::int64_t{32} << 20;

std::string made_by(const FeaturesInfo& info) {
  return std::to_string(info.d) + " features" +
         (info.extractor.empty() ? "" : " by " + info.extractor);
}

std::string levels_text(std::int64_t levels) {
  return levels == 0 ? "real values" : std::to_string(levels) + " levels";
}

void tell(App& app, const RowOperand& operand, const std::string& role) {
  app.add_input(operand.record(role));
  for (const std::string& line : operand.story().notes) app.detail(line);
  for (const std::string& line : operand.story().warnings) app.warn(line);
}

void require_finite_features(const FeatureRows& rows, std::int64_t width, std::int64_t first,
                             const std::string& name) {
  const auto bad =
      std::ranges::find_if_not(rows.features, [](float v) { return std::isfinite(v); });
  if (bad == rows.features.end()) return;
  const std::int64_t place = bad - rows.features.begin();
  fail(ErrorKind::data, name,
       "row " + std::to_string(first + place / width) + ": feature " +
           std::to_string(place % width) + " is not finite");
}

// A features file.
class KeptFeatures final : public FeatureStream {
 public:
  KeptFeatures(App& app, RowOperand operand, const RowChoice& rows, const std::string& role)
      : file_(operand.take_artifact()) {
    info_ = file_.info();
    name_ = operand.text();
    if (!file_.has_rows())
      fail(ErrorKind::usage, name_, "holds statistics alone, and features of rows are asked for",
           "extract-features without --stats-only");
    DatasetInfo all;
    all.n = info_.n;
    const RowSelection selection = select_rows(all, {operand.text(), ""}, "", rows);
    next_ = selection.begin;
    end_ = selection.end;
    info_.n = end_ - next_;
    app.add_input(operand.record(role));
  }

  [[nodiscard]] bool next(FeatureRows& rows) override {
    if (next_ == end_) return false;
    const std::int64_t last = std::min(end_, next_ + array_rows_at_once);
    rows = file_.read(next_, last);
    next_ = last;
    return true;
  }

 private:
  FeaturesFile file_;
  std::int64_t next_ = 0, end_ = 0;
};

// An array whose rows are features already.
class ArrayFeatures final : public FeatureStream {
 public:
  ArrayFeatures(App& app, RowOperand operand, std::string role)
      : app_(app), operand_(std::move(operand)), role_(std::move(role)) {
    stream_ = operand_.rows(array_rows_at_once);
    const DatasetInfo& data = stream_->info();
    name_ = operand_.text();
    info_ = {.extractor = "", .params = Json::object(), .source_hash = "", .d = data.dims()};
  }

  [[nodiscard]] bool next(FeatureRows& rows) override {
    Rows some;
    if (!stream_->next(some)) {
      if (!ended_) tell(app_, operand_, role_);
      ended_ = true;
      info_.source_hash = operand_.record(role_).content_hash;
      return false;
    }
    rows = {.count = some.count, .features = {}, .logits = {}, .labels = {}};
    const auto values = some.values<float>();
    rows.features.assign(values.begin(), values.end());
    info_.n += some.count;
    return true;
  }

 private:
  App& app_;
  RowOperand operand_;
  std::string role_;
  std::unique_ptr<RowStream> stream_;
  bool ended_ = false;
};

// Rows on their way through an extractor.
class ExtractedFeatures final : public FeatureStream {
 public:
  ExtractedFeatures(App& app, std::unique_ptr<RowOperand> operand, std::string role,
                    const Extractor& extractor, std::int64_t block)
      : app_(app),
        operand_(std::move(operand)),
        role_(std::move(role)),
        extractor_(extractor),
        block_(block) {
    name_ = operand_->text();
    const std::int64_t bytes =
        block * static_cast<std::int64_t>(extractor.info().data.dims()) * std::int64_t{4};
    stream_ = operand_->rows(
        block * std::clamp<std::int64_t>(stretch_bytes / bytes, 2, most_blocks_at_once));
    const DatasetInfo& data = stream_->info();
    info_ = {.extractor = extractor.info().name,
             .params = Json::object(),
             .source_hash = operand_->record(role_).content_hash,
             .d = extractor.info().width,
             .classes = extractor.info().classes,
             .has_labels = data.has_labels};
  }

  [[nodiscard]] const DatasetInfo& data() const { return stream_->info(); }
  void know_params(Json params) { info_.params = std::move(params); }

  [[nodiscard]] bool next(FeatureRows& rows) override {
    if (!progress_ && !ended_)
      progress_ = app_.progress("row", static_cast<double>(stream_->info().n));
    Rows some;
    if (!stream_->next(some)) {
      end();
      return false;
    }
    extract(some, rows);
    require_finite_features(rows, info_.d, info_.n, name_);
    info_.n += some.count;
    progress_->update(static_cast<double>(info_.n));
    return true;
  }

 private:
  void extract(const Rows& some, FeatureRows& rows) {
    rows.count = some.count;
    rows.features.resize(at(some.count * info_.d));
    rows.logits.resize(at(some.count * info_.classes));
    rows.labels = info_.has_labels ? some.y : std::vector<std::int32_t>();
    app_.workers().run((some.count + block_ - 1) / block_, [&](std::int64_t block) {
      const std::int64_t first = block * block_, last = std::min(some.count, first + block_);
      const Rows part = slice_rows(some, first, last);
      const auto of_block = [&](std::vector<float>& values, std::int64_t width) {
        return std::span(values).subspan(at(first * width), at((last - first) * width));
      };
      extractor_.extract({stream_->info(), part, operand_->first_row() + info_.n + first},
                         {of_block(rows.features, info_.d), of_block(rows.logits, info_.classes)});
    });
  }

  void end() {
    if (ended_) return;
    ended_ = true;
    progress_.reset();
    tell(app_, *operand_, role_);
    info_.source_hash = operand_->record(role_).content_hash;
  }

  App& app_;
  std::unique_ptr<RowOperand> operand_;
  std::string role_;
  const Extractor& extractor_;
  std::int64_t block_;
  std::unique_ptr<RowStream> stream_;
  std::unique_ptr<Progress> progress_;
  bool ended_ = false;
};

}  // namespace

void require_same_extractor(const FeaturesInfo& a, const std::string& name_a, const FeaturesInfo& b,
                            const std::string& name_b) {
  const bool known = !a.extractor.empty() && !b.extractor.empty();
  if (a.d != b.d || (known && a.extractor != b.extractor))
    fail(ErrorKind::data, name_b, "has " + made_by(b) + ", and " + name_a + " has " + made_by(a));
  if (!known) return;
  Json params_a = a.params, params_b = b.params;
  for (Json* params : {&params_a, &params_b}) params->erase("levels");
  if (params_a == params_b) return;
  fail(ErrorKind::data, name_b,
       "has features of another " + b.extractor + " than " + name_a + ": " + params_b.dump(-1) +
           " beside " + params_a.dump(-1),
       "extract both in one run, or the second with the --basis of the first");
}

class FeatureSource::State {
 public:
  State(App& app, const FeatureOptions& options) : app_(app), options_(options) {
    if (options.extracts()) {
      store_.emplace(app, options);
      return;
    }
    for (const char* option :
         {"--fit-on", "--extractor-weights", "--gray-to-rgb", "--binarise", "--batch"})
      if (is_given(app.fields(), option)) fail(ErrorKind::usage, option, "needs --extractor");
  }

  std::unique_ptr<FeatureStream> open(const std::string& text, const std::string& role) {
    auto operand = std::make_unique<RowOperand>(text, reading());
    if (operand->is(ArtifactKind::features)) {
      auto kept = std::make_unique<KeptFeatures>(app_, std::move(*operand), options_.rows, role);
      require_comparable(kept->info(), kept->name());
      return kept;
    }
    if (!store_) return open_array(std::move(*operand), role);
    return open_rows(std::move(operand), role);
  }

  void require_comparable(const FeaturesInfo& info, const std::string& name) {
    if (!first_) {
      first_ = info;
      first_name_ = name;
      return;
    }
    require_same_extractor(*first_, first_name_, info, name);
    if (first_->extractor.empty()) {  // the next ones can be compared with more
      first_ = info;
      first_name_ = name;
    }
    const Json* const a = first_->params.find("levels");
    const Json* const b = info.params.find("levels");
    if (a != nullptr && b != nullptr && *a != *b)
      app_.warn(first_name_ + " has " + levels_text(a->integer()) + ", and " + name + " has " +
                levels_text(b->integer()) + ": both are scaled to [0, 1], but they differ in that" +
                (std::min(a->integer(), b->integer()) == 2 ? "; --binarise static draws bits of "
                                                             "grey values"
                                                           : ""));
  }

  [[nodiscard]] Extractor* extractor() const { return extractor_.get(); }
  [[nodiscard]] const FitReport& fit_report() const { return report_; }

 private:
  [[nodiscard]] OperandReading reading() const {
    if (!store_) return {options_.rows, options_.key.value_or("features"), Reading::vector};
    return {options_.rows, options_.key.value_or("x"), Reading::by_rank,
            options_.binarise.value_or("none")};
  }

  std::unique_ptr<FeatureStream> open_array(RowOperand operand, const std::string& role) {
    const bool has_rows = operand.is(ArtifactKind::dataset) || operand.is(ArtifactKind::samples);
    if (operand.is_artifact() && !has_rows)
      operand.take_artifact().require_kind(ArtifactKind::features);
    if (has_rows || operand.is_pictures())
      fail(ErrorKind::usage, operand.text(),
           "holds " + std::string(has_rows ? "rows" : "pictures") +
               ", and nothing says what features are taken of them",
           "--extractor random-conv:1:64");
    auto stream = std::make_unique<ArrayFeatures>(app_, std::move(operand), role);
    require_comparable(stream->info(), stream->name());
    return stream;
  }

  std::unique_ptr<FeatureStream> open_rows(std::unique_ptr<RowOperand> operand,
                                           const std::string& role) {
    const std::string name = operand->text();
    if (extractor_ == nullptr) make_for(*operand);
    const std::int64_t block = options_.batch > 0 ? options_.batch : extractor_->info().block;
    auto stream =
        std::make_unique<ExtractedFeatures>(app_, std::move(operand), role, *extractor_, block);
    const DatasetInfo& data = stream->data();
    const DatasetInfo taken = store_->rows_as_taken(data);
    const DatasetInfo& wanted = extractor_->info().data;
    if (taken.shape != wanted.shape)
      fail(ErrorKind::data, name,
           "has rows of " + h5::shape_text(data.shape) + ", and " +
               (made_for_.empty() ? "the extractor" : made_for_) + " has rows of " +
               h5::shape_text(wanted.shape),
           is_colour_matter(data, wanted) ? "--gray-to-rgb" : "");
    Json params = store_->params(*extractor_);
    params.set("levels", data.levels);
    stream->know_params(std::move(params));
    require_comparable(stream->info(), name);
    return stream;
  }

  [[nodiscard]] static bool is_colour_matter(const DatasetInfo& a, const DatasetInfo& b) {
    return a.content == Content::image && b.content == Content::image && a.shape[0] == b.shape[0] &&
           a.shape[1] == b.shape[1] && std::min(a.shape[2], b.shape[2]) == 1;
  }

  // Makes the extractor for rows like those of the operand, and fits it if needed.
  void make_for(RowOperand& operand) {
    std::optional<RowOperand> other;
    if (store_->fits() && !options_.fit_on.empty())
      other.emplace(options_.fit_on,
                    OperandReading{.key = options_.key.value_or("x"),
                                   .binarise = options_.binarise.value_or("none")});
    RowOperand& learned = other ? *other : operand;
    const auto rows = learned.rows(store_->fits() ? rows_fitted_at_once : 1);
    made_for_ = learned.text();
    extractor_ = store_->make(rows->info());
    if (!store_->fits() || app_.dry_run()) return;
    if (store_->words().kind->fits_on == FitsOn::labelled_rows && !rows->info().has_labels)
      fail(ErrorKind::data, learned.text(),
           "has no labels, and --extractor " + store_->words().text + " learns classes",
           "--fit-on DATASET with labels");
    const auto progress = app_.progress("percent of the fit", 100);
    report_ = extractor_->fit(
        *rows, {.rng = app_.rng(), .workers = app_.workers(), .progress = [&](double done) {
                  progress->update(100 * done);
                }});
    Rows rest;
    while (rows->next(rest)) {
    }
    progress->erase();
    for (const std::string& concern : report_.concerns) app_.warn(concern);
    if (other) tell(app_, *other, "fit-on");
  }

  App& app_;
  const FeatureOptions& options_;
  std::optional<ExtractorStore> store_;
  std::unique_ptr<Extractor> extractor_;
  FitReport report_;
  std::optional<FeaturesInfo> first_;
  std::string first_name_, made_for_;
};

FeatureSource::FeatureSource(App& app, const FeatureOptions& options)
    : state_(std::make_unique<State>(app, options)) {}
FeatureSource::~FeatureSource() = default;

std::unique_ptr<FeatureStream> FeatureSource::open(const std::string& operand,
                                                   const std::string& role) {
  return state_->open(operand, role);
}
void FeatureSource::require_comparable(const FeaturesInfo& info, const std::string& name) {
  state_->require_comparable(info, name);
}
Extractor* FeatureSource::extractor() const { return state_->extractor(); }
const FitReport& FeatureSource::fit_report() const { return state_->fit_report(); }

}  // namespace logpx
