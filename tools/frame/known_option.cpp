#include "tools/frame/known_option.hpp"

#include "formats/draw/row_text.hpp"
#include "formats/number_table.hpp"
#include "libcore/data/known.hpp"

namespace logpx {

std::vector<std::uint8_t> read_known_places(const std::string& text, const DatasetInfo& info) {
  if (info.is_table())
    if (auto known = known_columns(text, draw::column_names(info))) return *std::move(known);
  const KnownPart part = parse_known(text);
  if (part.kind != KnownPart::Kind::file) return known_places(part, info);
  const NumberTable mask = read_number_table(part.file);
  return known_places(std::vector<float>(mask.values.begin(), mask.values.end()), info, part.file);
}

}  // namespace logpx
