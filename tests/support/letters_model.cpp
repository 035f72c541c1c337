#include "tests/support/letters_model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/model/sequence_plan.hpp"
#include "tests/support/plans.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::testing {

class LettersState final : public codec::SequenceState {
 public:
  explicit LettersState(const LettersModel& model) : model_(model) {}
  void begin(std::size_t items) override { rows_.assign(items, 0); }
  [[nodiscard]] std::span<const double> weights(std::size_t items) override {
    weights_.clear();
    for (std::size_t w = 0; w < items; ++w) {
      const std::span<const double> next = model_.weights(rows_[w]);
      weights_.insert(weights_.end(), next.begin(), next.end());
    }
    return weights_;
  }
  void advance(std::span<const std::uint32_t> symbols) override {
    for (std::size_t w = 0; w < symbols.size(); ++w) rows_[w] = 1 + symbols[w];
  }

 private:
  const LettersModel& model_;
  std::vector<std::size_t> rows_;
  std::vector<double> weights_;
};

namespace {

constexpr std::int64_t shortest_row = 3;

class LettersDraft final : public ModelDraft {
 public:
  void describe(Fields&) override {}
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo& data) const override {
    return std::make_unique<LettersModel>(data);
  }
};

std::int64_t row_length(const Examples& batch, std::int64_t i) {
  return batch.rows.length.empty() ? batch.info.dims() : batch.rows.length[at(i)];
}

}  // namespace

LettersModel::LettersModel(const DatasetInfo& data)
    : item_({.kind = CodedItem::Kind::run,
             .width = data.dims(),
             .levels = data.levels,
             .alphabet = byte_alphabet(data),
             .short_last = true}),
      next_({1 + data.levels, data.levels}),
      lengths_({1 + data.dims()}) {
  info_ = {.family = "letters-fixture", .data = data, .samples = data, .lengths = Lengths::up_to};
  info_.samples.has_lengths = true;
}

void LettersModel::fit(const Rows& rows) {
  for (float& weight : next_.span()) weight = 0.5F;
  const auto x = rows.values<std::uint8_t>();
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const std::int64_t length = rows.length[at(i)];
    lengths_[length] += 1;
    std::int64_t row = 0;
    for (std::int64_t t = 0; t < length; ++t) {
      const std::int64_t letter = x[at(i * item_.width + t)];
      next_[row * item_.levels + letter] += 1;
      row = 1 + letter;
    }
  }
  filled();
}

void LettersModel::params(const TensorVisitor& visit) {
  visit(TensorRef::of("next", next_), TensorRole::parameter);
  visit(TensorRef::of("lengths", lengths_), TensorRole::constant);
}

void LettersModel::filled() {
  table_.assign(next_.span().begin(), next_.span().end());
  if (!std::ranges::all_of(table_, [](double weight) { return weight > 0; }))
    fail(ErrorKind::data, "next", "holds a weight that is not above 0");
  length_sums_.clear();
  for (const double count : lengths_.span()) {
    if (!(count >= 0) || !std::isfinite(count))
      fail(ErrorKind::data, "lengths", "holds a value that is not a number of rows");
    length_sums_.push_back((length_sums_.empty() ? 0 : length_sums_.back()) + count);
  }
  if (length_sums_.front() != 0 || !(length_sums_.back() > 0))
    fail(ErrorKind::data, "lengths", "gives rows without letters");
}

std::span<const double> LettersModel::weights(std::size_t row) const {
  return std::span(table_).subspan(row * levels(), levels());
}

Scores LettersModel::score(const Examples& batch) const {
  const auto x = batch.rows.values<std::uint8_t>();
  Scores scores;
  for (std::int64_t i = 0; i < batch.rows.count; ++i) {
    double sum = 0;
    std::size_t row = 0;
    for (std::int64_t t = 0; t < row_length(batch, i); ++t) {
      const std::uint8_t letter = x[at(i * batch.info.dims() + t)];
      double total = 0;
      for (const double weight : weights(row)) total += weight;
      sum += std::log(weights(row)[letter] / total);
      row = std::size_t{1} + letter;
    }
    scores.nats.push_back(sum);
  }
  return scores;
}

void LettersModel::sample(Rows& out, std::int64_t first, Rng rng) const {
  out.x.assign(at(out.count) * item_size(), std::byte{0});
  for (std::int64_t i = 0; i < out.count; ++i) {
    DrawCursor draws(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + i)));
    const std::size_t length = draws.categorical(length_sums_);
    out.length.push_back(static_cast<std::int32_t>(length));
    std::size_t row = 0;
    for (std::size_t t = 0; t < length; ++t) {
      std::vector<double> sums(weights(row).begin(), weights(row).end());
      for (std::size_t k = 1; k < sums.size(); ++k) sums[k] += sums[k - 1];
      const std::size_t letter = draws.categorical(sums);
      out.x[at(i) * item_size() + t] = static_cast<std::byte>(letter);
      row = 1 + letter;
    }
  }
}

std::unique_ptr<codec::SequenceState> LettersModel::start() const {
  return std::make_unique<LettersState>(*this);
}

namespace {

class LettersCodec final : public ModelCodec {
 public:
  explicit LettersCodec(const LettersModel& model) : ModelCodec(model.item()), model_(model) {}
  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override {
    return std::make_unique<SequencePlan>(model_);
  }

 private:
  const LettersModel& model_;
};

std::unique_ptr<ModelCodec> make_codec(const LettersModel& model) {
  return std::make_unique<LettersCodec>(model);
}

// Its training is counting.
Trainee fitted_letters(const std::string&, const TaskData& data, Rng) {
  auto model = std::make_unique<LettersModel>(data.train.info);
  model->fit(data.train.held().rows);
  return {std::move(model), nullptr};
}

}  // namespace

void register_letters() {
  for (const Family& family : families())
    if (family.name == "letters-fixture") return;
  register_family(
      {.name = "letters-fixture",
       .summary = "rows of letters that end early, for tests",
       .trainer = "",
       .draft = [] { return std::make_unique<LettersDraft>(); },
       .score = {{"exact", "log p(x) itself", from_model(score_by_itself<LettersModel>)}},
       .sample = from_model(sample_by_itself<LettersModel>),
       .code = from_model(make_codec),
       .knobs = {.code = list_knobs<SequenceKnobs>},
       .trainee = fitted_letters,
       .tiny_rows =
           [](std::int64_t rows) {
             LetterRows made = letter_rows(rows, 40, Rng(1));
             return HeldRows{.info = std::move(made.info), .rows = std::move(made.rows)};
           }});
}

LetterRows letter_rows(std::int64_t n, std::int64_t width, Rng rng) {
  LetterRows made;
  made.info.name = "letters";
  made.info.content = Content::symbols;
  made.info.shape = {width};
  made.info.n = n;
  made.info.levels = 27;
  made.info.value_max = 26;
  made.info.has_lengths = true;
  made.info.alphabet = {' '};
  for (std::uint32_t letter = 'a'; letter <= 'z'; ++letter) made.info.alphabet.push_back(letter);
  made.rows.count = n;
  made.rows.x.assign(at(n * width), std::byte{0});
  constexpr std::string_view vowels = "aeiou";
  for (std::int64_t i = 0; i < n; ++i) {
    Cursor words(rng.stream(Stream::test, static_cast<std::uint32_t>(i)));
    const auto choices = static_cast<std::uint32_t>(width - shortest_row + 1);
    const std::int64_t length = shortest_row + words.below(choices);
    made.rows.length.push_back(static_cast<std::int32_t>(length));
    for (std::int64_t t = 0; t < length; ++t)
      made.rows.x[at(i * width + t)] = static_cast<std::byte>(
          t % 2 == 0 ? words.below(27)
                     : static_cast<std::uint32_t>(vowels[words.below(5)] - 'a') + 1);
  }
  return made;
}

}  // namespace logpx::testing
