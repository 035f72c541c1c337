#include "libcore/data/molecule_rows.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/example_dims.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace logpx::molecule_rows_test {
namespace {

const AtomTypes three = AtomTypes::of_elements({"C", "N", "O"});

Rows rows_of(const DatasetInfo& info, const std::vector<Molecule>& molecules) {
  Rows rows;
  rows.count = std::ssize(molecules);
  rows.x.resize(info.row_bytes() * molecules.size());
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    store_molecule(molecules[i],
                   rows.values<std::uint8_t>().subspan(i * info.row_bytes(), info.row_bytes()));
    rows.length.push_back(static_cast<std::int32_t>(molecules[i].size()));
  }
  return rows;
}

std::string refusal(const std::function<void(DatasetInfo&)>& spoil) {
  DatasetInfo info = molecules_info(three, 4);
  spoil(info);
  try {
    check_molecules_info(info);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("molecule rows: what is stored is read back, and the rest of a row is empty") {
  const DatasetInfo info = molecules_info(three, 4);
  CHECK(info.dims() == 10);
  CHECK(longest_example(info) == 4);
  const std::vector<Molecule> molecules = {{.atoms = {0, 2, 1}, .bonds = {1, 0, 2}},
                                           {.atoms = {2}, .bonds = {}},
                                           {.atoms = {0, 0, 0, 0}, .bonds = {1, 0, 0, 2, 0, 3}}};
  const Rows rows = rows_of(info, molecules);
  const auto x = rows.values<std::uint8_t>();
  const std::vector<std::uint8_t> first = {0, 2, 1, 255, 1, 0, 255, 2, 255, 255};
  CHECK(std::vector<std::uint8_t>(x.begin(), x.begin() + 10) == first);
  for (std::int64_t i = 0; i < 3; ++i) {
    CHECK(molecule_of_row(info, rows, i) == molecules[at(i)]);
    CHECK(trouble_of_molecule(info, 3, x.subspan(at(i * 10), 10), rows.length[at(i)]) == "");
  }
  CHECK(example_dims(info, rows) == std::vector<std::int64_t>{6, 1, 10});
  CHECK(atom_types_of(info) == three);
}

TEST_CASE("molecule rows: a value that is none of its kind is said with its place") {
  DatasetInfo info = molecules_info(three, 3);
  const auto trouble = [&](std::vector<std::uint8_t> row, std::int64_t atoms) {
    return trouble_of_molecule(info, 3, row, atoms);
  };
  CHECK(trouble({0, 3, 255, 1, 255, 255}, 2) ==
        "element 1 holds 3, expected types of atoms below 3");
  CHECK(trouble({0, 1, 255, 4, 255, 255}, 2) ==
        "element 3 holds 4, expected orders of bonds below 4");
  CHECK(trouble({0, 1, 0, 1, 255, 255}, 2) ==
        "element 2 holds 0, expected 255 behind the last atom");
  CHECK(trouble({0, 1, 255, 1, 0, 255}, 2) ==
        "element 4 holds 0, expected 255 behind the last atom");
  CHECK(trouble({0, 254, 255, 254, 255, 255}, 2) != "");
  info.has_missing = true;
  CHECK(trouble({0, 254, 255, 254, 255, 255}, 2) == "");
  CHECK(trouble({0, 1, 254, 1, 255, 255}, 2) != "");
}

TEST_CASE("molecule rows: descriptions that contradict themselves are refused") {
  const auto set_note = [](std::size_t note, const char* text) {
    return [=](DatasetInfo& info) { info.notes[note].second = text; };
  };
  CHECK(refusal([](DatasetInfo&) {}) == "");
  CHECK(refusal([](DatasetInfo& info) { info.shape = {11}; }) ==
        "/data/x: has rows of 11, which is no n + n (n-1) / 2");
  CHECK(refusal([](DatasetInfo& info) { info.element = Element::f32; }) ==
        "/data/x: is not rows of u8, which molecules are");
  CHECK(refusal([](DatasetInfo& info) { info.notes.clear(); }) == "@mol_types: is missing");
  CHECK(refusal(set_note(2, "C")).starts_with("@mol_types: line 1 is not ELEMENT"));
  CHECK(refusal([](DatasetInfo& info) { info.levels = 5; }) ==
        "@levels: is 5, but atoms have 3 types and bonds 4 orders");
  CHECK(refusal(set_note(1, "5")) == "@mol_bonds: is '5', expected 4");
  CHECK(refusal(set_note(0, "7")) == "@mol_atoms_max: is '7', expected 4");
}

TEST_CASE("molecule rows: other atoms than the model's are refused, and both are named") {
  const DatasetInfo data = molecules_info(three, 3),
                    known = molecules_info(AtomTypes::of_elements({"C", "N"}), 5);
  require_same_atoms(data, molecules_info(three, 9), "mol.h5");
  try {
    require_same_atoms(data, known, "mol.h5");
    CHECK(false);
  } catch (const Error& error) {
    CHECK(std::string(error.what()) == "mol.h5: has the atoms C N O, expected C N");
  }
}

}  // namespace logpx::molecule_rows_test
