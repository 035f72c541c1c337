// The only list of families. Models are saved without file code knowing them: as a family's word, a
// config and named tensors; from these the registry builds them back.
//
//   const auto draft = find_family("vae").draft();
//   Fields fields;  draft->describe(fields);   // filled from what the file says
//   draft->take(constants);                    // where shapes follow from them
//   const auto model = draft->build(data);     // then model->params(...) takes the tensors
//   model->filled();
#pragma once

#include "libcore/families/family.hpp"

#include <string>
#include <vector>

namespace logpx {

[[nodiscard]] const std::vector<Family>& families();
// A data error that lists the known ones.
[[nodiscard]] const Family& find_family(const std::string& name);
// "pc, vae": for the message of a tool whose model lacks it.
[[nodiscard]] std::string families_with(Capability capability);

// Tests add a fixture of their own; a name given twice is a programmer's mistake.
void register_family(Family family);

}  // namespace logpx
