// The options of bits-back-encode and bits-back-decode.   [spec/coding.md section 8]
#pragma once

#include "formats/archive/content.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/data/row_choice.hpp"
#include "tools/common/job_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::compress {

struct EncodeOptions {
  std::vector<std::string> operands;  // the model first, where one is used
  std::string output, output_dir, suffix = ".lpx", prime;
  bool remove = false, fallback_only = false, model_only = false, store = false, pixels = false,
       dataset = false, embed_model = false, verify = true, times = true, selftest = false;
  RowChoice rows;                // of a dataset
  std::int64_t block_items = 0;  // 0: as many as the coders do best with
  std::int64_t lanes = 1;
  archive::Effort effort = archive::Effort::normal;  // over what no model codes
  JobOptions knobs{Job::code};  // how the model codes: its plan knows what they may be
  void describe(Fields& fields);
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
