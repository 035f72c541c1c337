// The only list of families. Models are saved without file code knowing them: as a family's word, a
// config and named tensors; from these the registry builds them back.
//
//   const auto draft = find_family("vae").draft();
//   Fields fields;  draft->describe(fields);   // filled from what the file says
//   draft->take(constants);                    // where shapes follow from them
//   const auto model = draft->build(data);     // then model->params(...) takes the tensors
//   model->filled();
//   const Abilities can = abilities(*model);
#pragma once

#include "libcore/families/family.hpp"

#include <functional>
#include <string>
#include <vector>

namespace logpx {

[[nodiscard]] const std::vector<Family>& families();
// A data error that lists the known ones.
[[nodiscard]] const Family& find_family(const std::string& name);
// What this model can do, by the table of its family.
[[nodiscard]] Abilities abilities(const Model& model);
[[nodiscard]] AbleModel with_abilities(std::unique_ptr<Model> model);
// "pc, vae": for the message of a tool whose model lacks it.
[[nodiscard]] std::string families_where(const std::function<bool(const Family&)>& holds);
template <typename Made>
[[nodiscard]] std::string families_with(Making<Made> Family::*ability) {
  return families_where([&](const Family& family) { return bool(family.*ability); });
}

// Tests add a fixture of their own; a name given twice is a programmer's mistake.
void register_family(Family family);

}  // namespace logpx
