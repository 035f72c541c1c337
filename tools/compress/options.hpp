// The options of bits-back-encode and bits-back-decode.
#pragma once

#include "formats/archive/content.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/data/row_choice.hpp"
#include "tools/archives/coding_model.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::compress {

struct EncodeOptions : CodingOptions {
  std::vector<std::string> operands;  // the model first, where one is used
  std::string output, output_dir, suffix = ".lpx", prime;
  bool remove = false, fallback_only = false, store = false, pixels = false, dataset = false,
       keep_deflate = false, verify = true, times = true, selftest = false;
  RowChoice rows;  // of a dataset
  void describe(Fields& fields);

 private:
  void describe_coding(Fields& fields);
};

struct DecodeOptions {
  std::vector<std::string> operands, members;
  std::string output, output_dir, suffix = ".lpx", model_path, prime;
  archive::OutputForm to = archive::OutputForm::same;
  bool remove = false, test = false, list = false, times = true, restore_name = false,
       trust_embedded_model = false, selftest = false;
  Bytes max_output;  // 0: unlimited into a file, 4 GiB for --test
  void describe(Fields& fields);
  [[nodiscard]] bool writes() const { return !test && !list; }
};

}  // namespace logpx::compress
