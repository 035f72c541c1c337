// Rows of a dataset as a member of an archive: the IDX file that they would make.
#pragma once

#include "libcore/data/row_choice.hpp"
#include "libcore/model/codec.hpp"
#include "tools/archives/member_input.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace logpx::compress {

// in_order: as they are stored        as_set: ascending as bytes, molecules in their canonical form
enum class RowOrder { in_order, as_set };

struct DatasetReading {
  const RowChoice& rows;
  const ModelCodec* codec = nullptr;  // rows as its model reads them, binarised by its rule
  RowOrder order = RowOrder::in_order;
  std::uint64_t memory = ~std::uint64_t{0};  // that a set may take
};

// The operand names a split: "d.h5:test".
[[nodiscard]] std::unique_ptr<MemberInput> dataset_input(const std::string& operand,
                                                         const std::string& name,
                                                         const DatasetReading& how);
// The name of that file: "d-test.idx".
[[nodiscard]] std::string dataset_file_name(const std::string& operand);

}  // namespace logpx::compress
