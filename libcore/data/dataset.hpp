// What a dataset is: rows of one shape and element type, with named splits and, where known,
// labels, lengths, true log-probabilities and latents. File formats and generators both use these
// types.   [data/README 1]
#pragma once

#include "libcore/data/columns.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

enum class Content { image, vector, symbols, bytes, molecules };
enum class Measure { counting, lebesgue };  // what log p is a density of
enum class Element { u8, u16, i16, f32 };   // of /data/x; i16 holds symbols with -1 for missing

[[nodiscard]] std::size_t element_size(Element element);
[[nodiscard]] const char* word_of(Content content);
[[nodiscard]] const char* word_of(Measure measure);
[[nodiscard]] const char* word_of(Element element);

struct Split {
  std::string name;
  std::int64_t begin = 0, end = 0;  // half-open, inside [0, n]
};

struct DatasetInfo {
  std::string name;                    // "mnist"
  std::string source_kind = "packed";  // or "synthetic"
  Content content = Content::image;
  Measure measure = Measure::counting;
  Element element = Element::u8;
  std::vector<std::int64_t> shape;  // of one example: [H,W,C], [D], [L]
  std::int64_t n = 0;
  std::int64_t levels = 0;              // values of a discrete dimension; 0 for continuous
  double value_min = 0, value_max = 0;  // the domain, not the observed range
  std::optional<double> entropy_nats;   // per example, when known exactly
  std::optional<std::int64_t> intrinsic_dim;
  std::string licence, citation;
  bool has_labels = false, has_lengths = false, has_true_logp = false;
  bool has_source_rows = false;           // rows were dropped, chosen or shuffled
  std::int64_t latent_dim = 0;            // 0: no /data/latent
  std::vector<std::string> label_names;   // may be empty although labels exist
  std::vector<std::string> column_names;  // [dims]; of tables whose file names its columns
  std::vector<ColumnForm> column_forms;   // [dims]; of tables whose cells were looked at
  std::vector<std::string> id_columns;    // of the table, which name its rows: no part of x
  ColumnWords column_words;               // of tables
  Standardisation standardisation;
  std::vector<std::uint32_t> alphabet;  // code point of each symbol; symbols only
  std::vector<std::string> tokens;      // text of each symbol, in the place of an alphabet
  std::string tokenizer;                // the model that cuts texts into them; datasets only
  bool lossy_source = false, has_missing = false, has_smiles = false;
  std::vector<Split> splits;
  std::vector<std::pair<std::string, std::string>>
      notes;  // further root attributes (tree_edges ...)

  [[nodiscard]] std::int64_t dims() const;  // product of shape: divisor of "bits per dimension"
  [[nodiscard]] std::size_t row_bytes() const;
  [[nodiscard]] const Split* find_split(std::string_view name) const;
  // Symbols that stand for characters, bytes among them.
  [[nodiscard]] bool is_text() const;
  // Columns of numbers or words: no picture and no text.
  [[nodiscard]] bool is_table() const;
  // The column's name, or "column 3", for messages.
  [[nodiscard]] std::string column_name(std::int64_t column) const;
};

// "dog", or the number where classes have no names.
[[nodiscard]] std::string class_name(const std::vector<std::string>& names, std::int32_t label);

// Consecutive rows in memory. Columns that the dataset does not have stay empty.
struct Rows {
  std::int64_t count = 0;
  std::vector<std::byte> x;          // [count, row_bytes], native byte order
  std::vector<std::int32_t> y;       // [count]
  std::vector<std::int32_t> length;  // [count]
  std::vector<double> true_logp;     // [count], nats
  std::vector<float> latent;         // [count, latent_dim]
  std::vector<std::int64_t> source;  // [count], the row's number in the source, from 0
  std::vector<std::string> smiles;   // [count]; what is read from files does not have it

  // x seen as its element type, e.g. values<std::uint8_t>().
  template <typename T>
  [[nodiscard]] std::span<const T> values() const {
    return {reinterpret_cast<const T*>(x.data()), x.size() / sizeof(T)};
  }
  template <typename T>
  [[nodiscard]] std::span<T> values() {
    return {reinterpret_cast<T*>(x.data()), x.size() / sizeof(T)};
  }
};

// Rows begin..end-1.
[[nodiscard]] Rows slice_rows(const Rows& rows, std::int64_t begin, std::int64_t end);

// Rows by number, in any order: a dataset file, a generator, memory.
class RowSource {
 public:
  virtual ~RowSource() = default;
  [[nodiscard]] virtual const DatasetInfo& info() const = 0;
  [[nodiscard]] virtual Rows read(std::int64_t begin, std::int64_t end) = 0;
};

// Rows of a foreign file as they are read; how many is known only at the end. info() is complete
// (n, levels, alphabet ...) once next() has returned false; shape, element type and the columns to
// come are known from the first rows on.
class RowStream {
 public:
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 20;  // about as much as next() gives
  virtual ~RowStream() = default;
  [[nodiscard]] virtual const DatasetInfo& info() const = 0;
  [[nodiscard]] virtual bool next(Rows& rows) = 0;
};

class MemoryRows final : public RowSource {
 public:
  MemoryRows(DatasetInfo info, Rows rows);
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] Rows read(std::int64_t begin, std::int64_t end) override;

 private:
  DatasetInfo info_;
  Rows rows_;
};

}  // namespace logpx
