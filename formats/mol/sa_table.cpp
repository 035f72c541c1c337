#include "formats/mol/sa_table.hpp"

#include "formats/basis_file.hpp"
#include "formats/file/signature.hpp"
#include "formats/import/byte_source.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <cmath>
#include <filesystem>
#include <limits>

namespace logpx {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;

// A list of lists [score, id, id, ...], as Python writes it in letters (pickle, protocol 0): a line
// begins with what is done to the item before, and holds the next one.
class PickleLines {
 public:
  PickleLines(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

  [[nodiscard]] FragmentScores read() {
    while (!ended_ && begin_ < text_.size()) {
      ++line_;
      const std::size_t end = std::min(text_.find('\n', begin_), text_.size());
      take(text_.substr(begin_, end - begin_));
      begin_ = end + 1;
    }
    if (!ended_) fail(ErrorKind::data, name_, "ends before the list does");
    return FragmentScores(std::move(scores_));
  }

 private:
  void take(std::string_view line) {
    while (line.starts_with('a') || line.starts_with('(')) line.remove_prefix(1);
    if (line.starts_with("lp")) {
      score_.reset();
    } else if (line.starts_with('F')) {
      score_ = parse_real(line.substr(1));
      if (!score_) complain();
    } else if (line.starts_with('I')) {
      const auto id = parse_unsigned(line.substr(1));
      if (!score_ || !id || *id > std::numeric_limits<std::uint32_t>::max()) complain();
      scores_.emplace_back(static_cast<std::uint32_t>(*id), *score_);
    } else if (line.starts_with('.')) {
      ended_ = true;
    } else {
      complain();
    }
  }
  [[noreturn]] void complain() const {
    fail(ErrorKind::data, name_ + " line " + std::to_string(line_),
         "is no line of a table of fragment scores, such as RDKit's fpscores.pkl.gz");
  }

  std::string name_;
  std::string_view text_;
  std::size_t begin_ = 0;
  std::int64_t line_ = 0;
  bool ended_ = false;
  std::optional<double> score_;  // of the list that is being read
  std::vector<std::pair<std::uint32_t, double>> scores_;
};

std::span<const double> column(const std::vector<NamedTensor>& tensors, const std::string& name,
                               const std::string& file) {
  for (const NamedTensor& one : tensors)
    if (one.name == name && one.value.type == h5::ValueType::f64) return one.value.as<double>();
  fail(ErrorKind::data, file, "has no /basis/" + name + " of double precision");
}

SaTable own_table(ArtifactFile artifact) {
  artifact.require_kind(ArtifactKind::basis);
  const BasisFile file(std::move(artifact));
  if (file.extractor() != sa_table_extractor)
    fail(ErrorKind::data, file.name(),
         "holds a basis of " + file.extractor() + ", and no table of fragment scores",
         "mol-metrics --build-sa-table CORPUS.smi -o T.h5");
  file.check();
  const std::vector<NamedTensor> tensors = file.tensors();
  const auto ids = column(tensors, "ids", file.name()),
             values = column(tensors, "scores", file.name());
  if (ids.size() != values.size())
    fail(ErrorKind::data, file.name(),
         "has " + std::to_string(ids.size()) + " ids and " + std::to_string(values.size()) +
             " scores");
  std::vector<std::pair<std::uint32_t, double>> scores;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!(ids[i] >= 0 && ids[i] <= std::numeric_limits<std::uint32_t>::max()) ||
        std::floor(ids[i]) != ids[i])
      fail(ErrorKind::data, file.name() + " /basis/ids",
           "element " + std::to_string(i) + " is no id of a fragment");
    scores.emplace_back(static_cast<std::uint32_t>(ids[i]), values[i]);
  }
  return {
      .scores = FragmentScores(std::move(scores)), .is_custom = true, .hash = file.content_hash()};
}

}  // namespace

SaTable read_sa_table(const std::string& path) {
  ByteSource source(path);
  if (begins_with(source.peek(hdf5_magic.size()), hdf5_magic)) return own_table(ArtifactFile(path));
  const std::vector<std::byte> bytes = read_whole(source, most_bytes);
  PickleLines lines(source.name(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return {.scores = lines.read(), .is_custom = false, .hash = source.finish()->sha256};
}

std::string usual_sa_table() {
  const std::string path = LOGPX_SA_TABLE;
  std::error_code unreadable;
  return std::filesystem::is_regular_file(path, unreadable) ? path : "";
}

}  // namespace logpx
