// Models of orders of molecules with random weights, and molecules as rows.
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/arm/model.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/model/plan.hpp"
#include "libcore/model/task_data.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace logpx::molecule_orders {

// Data of molecules of up to this many atoms, of two types.
[[nodiscard]] inline DatasetInfo carbon_and_oxygen(std::int64_t most_atoms) {
  DatasetInfo info = molecules_info(AtomTypes::of_elements({"C", "O"}), most_atoms);
  info.name = "mol.h5";
  return info;
}

[[nodiscard]] inline HeldRows rows_of(DatasetInfo info, const std::vector<Molecule>& molecules) {
  HeldRows held{.info = std::move(info), .rows = {}};
  held.rows.count = std::ssize(molecules);
  held.rows.x.resize(molecules.size() * held.info.row_bytes());
  const std::size_t dims = at(held.info.dims());
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    store_molecule(molecules[i], held.rows.values<std::uint8_t>().subspan(i * dims, dims));
    held.rows.length.push_back(static_cast<std::int32_t>(molecules[i].size()));
  }
  return held;
}

[[nodiscard]] inline arm::Config tiny_config() {
  arm::Config config;
  config.net.size = "tiny";
  config.net.widths = {8, 6, 4};
  return config;
}

// Molecules of 1, 2, 3 ... atoms were seen once, twice, three times ...
[[nodiscard]] inline std::unique_ptr<arm::ArmModel> drawn_model(const arm::Config& config,
                                                                std::int64_t most_atoms) {
  arm::ArmParts parts;
  for (std::int64_t n = 1; n <= most_atoms; ++n) parts.atoms.insert(parts.atoms.end(), at(n), n);
  auto model = std::make_unique<arm::ArmModel>(config, carbon_and_oxygen(most_atoms), parts);
  DrawCursor draws(Rng(4).stream(Stream::test));
  for (float& weight : model->param_set().block())
    weight = static_cast<float>(0.4 * draws.normal());
  return model;
}

[[nodiscard]] inline Molecule drawn_molecule(std::int64_t atoms, DrawCursor& draws) {
  Molecule molecule;
  for (std::int64_t i = 0; i < atoms; ++i)
    molecule.atoms.push_back(static_cast<std::uint8_t>(draws.below(2)));
  for (std::int64_t i = 0; i < pairs_of(atoms); ++i)
    molecule.bonds.push_back(static_cast<std::uint8_t>(draws.below(4)));
  return molecule;
}

[[nodiscard]] inline Scores scores_of(const arm::ArmModel& model, const std::string& method,
                                      const HeldRows& rows) {
  const auto plan = abilities(model).scoring(method);
  plan->settle();
  return plan->score(rows.examples(), Rng(3));
}

}  // namespace logpx::molecule_orders
