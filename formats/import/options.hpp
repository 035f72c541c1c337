// What a user may say about a foreign file. Every option is described once, under a heading of the
// formats that take it (formats/import/formats.hpp); check_used() refuses it for the others.
#pragma once

#include "formats/import/formats.hpp"
#include "libcore/base/fields.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

enum class Reading { by_rank, image, vector, symbols, bytes };  // --content
enum class Fit { none, crop, pad, stretch, reject };
enum class Alpha { refuse, drop, black, white };
enum class Missing { by_content, error, drop_row, keep };
enum class DecimalMark { by_file, point, comma };
enum class LabelsFrom { none, dir };
enum class Normalize { none, text8 };
enum class Fragments { reject, largest, keep };
enum class OnBad { skip, fail };

struct ImportOptions {
  std::string members;  // of archives: a pattern of names
  // arrays and tables
  std::vector<std::string> labels;  // a file for each input
  std::vector<std::int64_t> shape;  // of one example
  Reading content = Reading::by_rank;
  std::optional<std::int64_t> levels;  // of symbols
  std::string key = "x", label_key;
  bool coarse = false;
  std::string var, label_var, axes;
  std::vector<std::string> label_map;             // "10:0"
  std::vector<std::string> columns, categorical;  // "auto": whichever hold words
  std::vector<std::string> type;                  // "zip=word", or a file of JSON
  DecimalMark decimal = DecimalMark::by_file;
  std::string label_column, split_by, group;
  std::optional<std::int64_t> group_seed;  // of the order of groups; not an option of its own
  bool header = true;
  Missing missing = Missing::by_content;
  bool standardise = false;
  std::vector<std::string> na = {"NA", "N/A", "null", "NULL", "-"};
  // images
  std::string size;  // "WxH"
  Fit fit = Fit::none;
  std::vector<std::int64_t> crop;  // X,Y,W,H
  bool gray = false, rgb = false;
  std::int64_t tile = 0;
  LabelsFrom labels_from = LabelsFrom::none;
  Alpha alpha = Alpha::refuse;
  bool to_8bit = false, skip_bad = false;
  // molecules
  std::string vocab = "auto", column, test_index, grow;
  std::optional<bool> vocab_charges;
  std::optional<std::int64_t> max_atoms;
  Fragments fragments = Fragments::reject;
  OnBad on_bad = OnBad::skip;
  bool dedupe = false;
  // text and bytes
  std::string alphabet = "text27";
  std::string tokens;  // "sentencepiece:N", or a dataset that has some; empty: letters
  std::int64_t block = 256;
  bool drop_last = false, per_file = false;
  Normalize normalize = Normalize::none;
  std::string split_chars;

  void describe(Fields& fields);
};

// A usage error for every given option of another format: "--tile is not an option of idx (images
// has it)"; then for options that contradict each other.
void check_used(const Fields& fields, const ImportFormat& format);
void check_consistent(const ImportOptions& options, const ImportFormat& format);

}  // namespace logpx
