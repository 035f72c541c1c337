#include "tools/sessions/row_operand.hpp"

#include "formats/dataset_file.hpp"
#include "formats/file/signature.hpp"
#include "formats/import/row_stages.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/row_values.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

constexpr std::string_view hdf5_beginning = "\x89HDF\r\n\x1a\n";

// Rows of a dataset or of samples.
class StoredRows final : public RowStream {
 public:
  StoredRows(RowSource& source, RowSelection selection, const std::string& name,
             std::int64_t at_once)
      : source_(source), next_(selection.begin), end_(selection.end), at_once_(at_once) {
    info_ = source.info();
    info_.name = name;
    info_.n = end_ - next_;
  }
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] bool next(Rows& rows) override {
    if (next_ == end_) return false;
    const std::int64_t last = std::min(end_, next_ + at_once_);
    rows = source_.read(next_, last);
    next_ = last;
    return true;
  }

 private:
  RowSource& source_;
  DatasetInfo info_;
  std::int64_t next_, end_, at_once_;
};

// Bits in place of grey values, the same for these rows in every tool.
class BitRows final : public RowStream {
 public:
  BitRows(std::unique_ptr<RowStream> source, const std::string& rule, std::int64_t first)
      : source_(std::move(source)), next_(first) {
    rules_.binarise = parse_binarisation(rule);
    info_ = source_->info();
    check_rules(info_, rules_);
    take_info();
  }
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] bool next(Rows& rows) override {
    Rows grey;
    const bool more = source_->next(grey);
    take_info();
    if (!more) return false;
    rows = {};
    rows.count = grey.count;
    rows.y = grey.y;
    rows.x.resize(static_cast<std::size_t>(grey.count) * info_.row_bytes());
    std::vector<float> x(static_cast<std::size_t>(info_.dims()));
    const RowNoise noise = evaluation_noise(rules_);
    for (std::int64_t i = 0; i < grey.count; ++i) {
      row_values(source_->info(), grey, {.from = i, .number = next_ + i}, rules_, noise, x);
      store_values(info_, {}, x, i, rows);
    }
    next_ += grey.count;
    return true;
  }

 private:
  void take_info() {
    info_ = source_->info();
    info_.element = Element::u8;
    info_.levels = 2;
    info_.value_min = 0;
    info_.value_max = 1;
  }
  std::unique_ptr<RowStream> source_;
  std::int64_t next_;
  RowRules rules_;
  DatasetInfo info_;
};

void append_rows(Rows& to, const Rows& from) {
  to.count += from.count;
  to.x.insert(to.x.end(), from.x.begin(), from.x.end());
  to.y.insert(to.y.end(), from.y.begin(), from.y.end());
}

// Whether a table has a header: not if its first line holds numbers.
bool has_header(Input& input) {
  const auto bytes = input.peek(65536);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string line(text.substr(0, text.find_first_of("\r\n")));
  return !std::ranges::all_of(split_text(line, ','), [](const std::string& field) {
    return parse_real(field).has_value();
  });
}

const ImportFormat& format_of_operand(Input& input) {
  if (!input.is_folder() && !input.is_container()) {
    const Signature* const found = find_signature(input.peek(signature_bytes));
    if (found != nullptr && found->plain) return *find_format("csv");
  }
  return detect_format(input);
}

}  // namespace

// Rows of a foreign file, in stretches of another size than its importer gives.
class ForeignRows final : public RowStream {
 public:
  ForeignRows(RowOperand& operand, Input input, std::int64_t at_once)
      : operand_(operand), at_once_(at_once) {
    ImportOptions options;
    options.key = operand.reading_.key;
    options.content = operand.reading_.arrays;
    if (operand.is_foreign("csv")) {
      options.header = has_header(input);
      if (options.content == Reading::by_rank) options.content = Reading::vector;
    }
    std::vector<Input> inputs;
    inputs.push_back(std::move(input));
    guarded([&] {
      importer_ = open_import(*operand.format_, std::move(inputs), options);
      if (operand.reading_.rows.chosen()) chosen_.emplace(*importer_, operand.reading_.rows);
      fill();
    });
    if (pending_.count == 0) fail(ErrorKind::data, operand.text_, "has no rows");
  }
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }

  [[nodiscard]] bool next(Rows& rows) override {
    guarded([this] { fill(); });
    const std::int64_t count = std::min(at_once_, pending_.count - taken_);
    if (count == 0) return false;
    rows = slice_rows(pending_, taken_, taken_ + count);
    taken_ += count;
    return true;
  }

 private:
  // A stretch, unless the file ends before.
  void fill() {
    if (ended_ || pending_.count - taken_ >= at_once_) return;
    pending_ = slice_rows(pending_, taken_, pending_.count);
    taken_ = 0;
    RowStream& source = chosen_ ? static_cast<RowStream&>(*chosen_) : *importer_;
    Rows some;
    while (pending_.count < at_once_ && source.next(some)) {
      append_rows(pending_, some);
      seen_ += some.count;
    }
    info_ = source.info();
    info_.name = operand_.text_;
    if (pending_.count >= at_once_) return;
    ended_ = true;
    info_.n = seen_;
    note_end();
  }

  void note_end() {
    operand_.story_ = importer_->finish();
    Sha256 all;
    std::uint64_t bytes = 0;
    for (const SourceFile& source : operand_.story_.sources) {
      all.update(source.sha256 + '\n');
      bytes += source.bytes;
    }
    const auto& sources = operand_.story_.sources;
    operand_.record_.bytes = bytes;
    operand_.record_.content_hash = sources.size() == 1 ? sources[0].sha256 : all.hex();
  }

  // Hints of an importer are rewritten for pack-data, which has its options.
  template <typename Act>
  void guarded(Act act) const {
    try {
      act();
    } catch (const Error& error) {
      if (error.hint().empty() || operand_.is_foreign("npz")) throw;
      throw error.with_hint("pack-data " + std::string(operand_.format_->word) +
                            " makes a dataset of it, and can mend that: " + error.hint());
    }
  }

  RowOperand& operand_;
  std::int64_t at_once_, taken_ = 0, seen_ = 0;
  std::unique_ptr<Importer> importer_;
  std::optional<ChosenRows> chosen_;
  DatasetInfo info_;
  Rows pending_;
  bool ended_ = false;
};

RowOperand::RowOperand(std::string text, OperandReading reading)
    : text_(std::move(text)), reading_(std::move(reading)) {
  const DatasetName name = parse_dataset_name(text_);
  path_ = name.path;
  split_ = name.split;
  record_.path = path_;
  if (path_ != "-") {
    input_.emplace(path_);
    const bool foreign = input_->is_folder() || !begins_with(input_->peek(8), hdf5_beginning);
    if (foreign) {
      path_ = text_;
      record_.path = text_;
      if (!split_.empty()) input_.emplace(path_);
      format_ = &format_of_operand(*input_);
      record_.kind = format_->word;
      return;
    }
    input_.reset();
  }
  artifact_.emplace(path_);
  record_.kind = word_of(artifact_->kind());
  record_.content_hash = artifact_->content_hash();
  record_.provenance = artifact_->provenance();
}

ArtifactFile RowOperand::take_artifact() {
  ArtifactFile file = std::move(*artifact_);
  artifact_.reset();
  return file;
}

std::unique_ptr<RowStream> RowOperand::stored_rows(std::int64_t at_once) {
  if (stored_.rows == nullptr) stored_ = open_rows(take_artifact());
  RowSource& source = *stored_.rows;
  const RowSelection selection = select_rows(source.info(), {path_, split_}, "", reading_.rows);
  if (selection.begin == selection.end) fail(ErrorKind::data, text_, "has no rows");
  record_.rows = std::pair(selection.begin, selection.end);
  first_row_ = selection.begin;
  return std::make_unique<StoredRows>(source, selection, text_, at_once);
}

std::unique_ptr<RowStream> RowOperand::rows(std::int64_t at_once) {
  std::unique_ptr<RowStream> stream;
  if (format_ == nullptr) {
    stream = stored_rows(at_once);
  } else {
    Input input = input_ ? std::move(*input_) : Input(path_);
    input_.reset();
    first_row_ = reading_.rows.range.value_or(RowRange{}).begin;
    stream = std::make_unique<ForeignRows>(*this, std::move(input), at_once);
  }
  if (reading_.binarise == "none" || stream->info().levels == 2) return stream;
  return std::make_unique<BitRows>(std::move(stream), reading_.binarise, first_row_);
}

FileRecord RowOperand::record(const std::string& role) const {
  FileRecord record = record_;
  record.role = role;
  return record;
}

}  // namespace logpx
