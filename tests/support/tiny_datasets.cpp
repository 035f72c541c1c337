#include "tests/support/tiny_datasets.hpp"

#include "libcore/base/rng.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "libcore/data/splits.hpp"

#include <algorithm>

namespace logpx::testing {
namespace {

Cursor words_for(std::uint32_t purpose) {
  return Cursor(Rng(1).stream(Stream::first_for_tests, purpose));
}

}  // namespace

TinyDataset tiny_images(std::int64_t n, std::int64_t h, std::int64_t w) {
  TinyDataset data;
  data.info.name = "tiny";
  data.info.shape = {h, w, 1};
  data.info.n = n;
  data.info.levels = 256;
  data.info.value_max = 255;
  data.info.has_labels = true;
  data.info.label_names = {"even", "odd"};
  data.info.splits = default_splits(n);
  data.rows.count = n;
  data.rows.x.resize(static_cast<std::size_t>(n * h * w));
  Cursor words = words_for(1);
  for (std::byte& pixel : data.rows.x)  // mostly black, like digits
    pixel = words.below(5) == 0 ? static_cast<std::byte>(words.below(256)) : std::byte{0};
  for (std::int64_t i = 0; i < n; ++i) data.rows.y.push_back(static_cast<std::int32_t>(i % 2));
  return data;
}

TinyDataset tiny_vectors(std::int64_t n, std::int64_t d) {
  TinyDataset data;
  data.info.name = "vectors";
  data.info.source_kind = "synthetic";
  data.info.content = Content::vector;
  data.info.measure = Measure::lebesgue;
  data.info.element = Element::f32;
  data.info.shape = {d};
  data.info.n = n;
  data.info.value_min = -1e30;
  data.info.value_max = 1e30;
  data.info.entropy_nats = 1.25;
  data.info.intrinsic_dim = 2;
  data.info.licence = "public domain";
  data.info.has_labels = data.info.has_lengths = data.info.has_true_logp = true;
  data.info.has_source_rows = true;
  for (std::int64_t i = 0; i < d; ++i) {
    data.info.column_names.push_back("column " + std::to_string(i));
    data.info.standardisation.mean.push_back(static_cast<double>(i));
    data.info.standardisation.deviation.push_back(0.5);
  }
  data.info.latent_dim = 2;
  data.info.lossy_source = true;
  data.info.splits = {{"all", 0, n}, {"none", n, n}};
  data.info.notes = {{"tree_edges", "0-1,1-2"}};
  data.rows.count = n;
  data.rows.x.resize(static_cast<std::size_t>(n * d) * sizeof(float));
  Cursor words = words_for(2);
  for (float& x : data.rows.values<float>()) x = static_cast<float>(words.uniform());
  for (std::int64_t i = 0; i < n; ++i) {
    data.rows.y.push_back(static_cast<std::int32_t>(i) - 3);
    data.rows.length.push_back(static_cast<std::int32_t>(1 + i % d));
    data.rows.true_logp.push_back(-words.uniform53());
    data.rows.source.push_back(3 * (n - i));
    for (int k = 0; k < 2; ++k) data.rows.latent.push_back(static_cast<float>(words.uniform()));
  }
  return data;
}

TinyDataset tiny_text(std::int64_t n, std::int64_t length) {
  TinyDataset data;
  data.info.name = "text";
  data.info.content = Content::symbols;
  data.info.shape = {length};
  data.info.n = n;
  data.info.levels = 27;
  data.info.value_max = 26;
  data.info.alphabet.push_back(' ');
  for (std::uint32_t letter = 'a'; letter <= 'z'; ++letter) data.info.alphabet.push_back(letter);
  data.rows.count = n;
  Cursor words = words_for(3);
  for (std::int64_t i = 0; i < n * length; ++i)
    data.rows.x.push_back(static_cast<std::byte>(words.below(27)));
  return data;
}

TinyDataset tiny_tokens(std::int64_t n, std::int64_t length) {
  TinyDataset data = tiny_text(n, length);
  data.info.name = "tokens";
  for (const std::uint32_t letter : data.info.alphabet)
    data.info.tokens.push_back(letter == ' ' ? " the" : std::string(1, static_cast<char>(letter)));
  data.info.alphabet.clear();
  data.info.tokenizer = std::string("\0model\xff", 7);
  return data;
}

TinyDataset tiny_words(std::int64_t n, std::int64_t d) {
  static const std::vector<std::string> words = {"", "blue, pale", "red"};
  TinyDataset data;
  data.info.name = "words";
  data.info.content = Content::symbols;
  data.info.element = Element::i16;
  data.info.shape = {d};
  data.info.n = n;
  data.info.levels = 7;
  data.info.value_max = 6;
  data.info.has_missing = true;
  for (std::int64_t i = 0; i < d; ++i) {
    data.info.column_names.push_back("column " + std::to_string(i));
    data.info.column_words.add_column(i % 2 == 0 ? std::span(words)
                                                 : std::span<const std::string>());
  }
  data.rows.count = n;
  data.rows.x.resize(static_cast<std::size_t>(n * d) * sizeof(std::int16_t));
  Cursor draws = words_for(4);
  for (std::int16_t& x : data.rows.values<std::int16_t>())
    x = static_cast<std::int16_t>(static_cast<int>(draws.below(4)) - 1);
  return data;
}

TinyDataset tiny_table(std::int64_t n) {
  using enum ColumnKind;
  TinyDataset data = tiny_vectors(n, 6);
  data.info.name = "table";
  data.info.has_missing = true;
  data.info.column_names = {"size", "born", "price", "job", "account", "unit"};
  data.info.id_columns = {"column1", "name"};
  data.info.column_forms = {{.kind = ordered},
                            {.kind = date, .origin = -3650, .form = "%Y-%m-%d"},
                            {.kind = number, .decimals = 2, .form = "thousands"},
                            {.kind = word},
                            {.kind = whole, .origin = 100000000000001},
                            {.kind = constant, .origin = 7.5, .decimals = 1}};
  data.info.column_words = {};
  data.info.standardisation = {};
  const std::vector<std::string> sizes = {"small", "medium", "large"}, jobs = {"clerk", "nurse"};
  for (const auto& words : {sizes, {}, {}, jobs, {}, {}}) data.info.column_words.add_column(words);
  const std::span<float> x = data.rows.values<float>();
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = i % 6 == 5 ? 0 : static_cast<float>((i / 6 + i) % 2);
  return data;
}

TinyDataset tiny_molecules() {
  TinyDataset data{.info = molecules_info(AtomTypes::of_elements({"C", "O"}), 3), .rows = {}};
  data.info.name = "pairs";
  data.info.n = data.rows.count = 2;
  data.rows.length = {2, 3};
  for (const int part : {0, 1, 255, 2, 255, 255, 0, 0, 1, 1, 0, 2})
    data.rows.x.push_back(static_cast<std::byte>(part));
  return data;
}

Rows slice(const TinyDataset& data, std::int64_t begin, std::int64_t end) {
  MemoryRows memory(data.info, data.rows);
  return memory.read(begin, end);
}

}  // namespace logpx::testing
