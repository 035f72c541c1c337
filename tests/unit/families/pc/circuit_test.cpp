// Descriptions of circuits: what is refused, and how they are written.
#include "formats/json/value.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

namespace logpx::circuit_test {

using namespace logpx::pc;

namespace {

Circuit small_circuit() {
  Circuit circuit;
  circuit.variables = {{"a", 2}, {"b", 3}};
  circuit.blocks = {Block::leaf("la", 2, 0), Block::leaf("lb", 2, 1),
                    Block::hadamard("h", 2, {0, 1}), Block::dense_sum("root", 1, {2}, 2)};
  circuit.root = 3;
  return circuit;
}

// Faults found after a change, as "block: text".
std::vector<std::string> faults_after(const std::function<void(Circuit&)>& change) {
  Circuit circuit = small_circuit();
  change(circuit);
  std::vector<std::string> texts;
  for (const Fault& fault : find_faults(circuit)) texts.push_back(fault.block + ": " + fault.text);
  return texts;
}

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(read_structure(text, "s.json"));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  return "";
}

const char* const two_leaves = R"({"variables": [{"name": "a", "cats": 2}], "root": "r", "blocks": [
  {"id": "l", "type": "leaf", "var": 0, "params": [[0.1, 0.9], [0.5, 0.5]]},
  {"id": "r", "type": "sum", "children": ["l"], "weights": [[0.4, 0.6]]}]})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

}  // namespace

TEST_CASE("pc: a circuit that is sound has no faults, and its facts are told") {
  CHECK(find_faults(small_circuit()).empty());
  const CircuitFacts facts = facts_of(small_circuit());
  CHECK(facts.nodes == 7);
  CHECK(facts.edges == 2);
  CHECK(facts.parameters == 4 + 6 + 2);
  CHECK(facts.depth == 2);
  CHECK(facts.structured_decomposable);
}

TEST_CASE("pc: a sum whose inputs differ by the value of an indicator chooses one of them") {
  const auto choice = [](std::int64_t first, std::int64_t second) {
    Circuit circuit;
    circuit.variables = {{"a", 2}, {"b", 3}};
    circuit.blocks = {Block::indicator("a0", 0, first),
                      Block::leaf("b0", 1, 1),
                      Block::hadamard("ab0", 1, {0, 1}),
                      Block::indicator("a1", 0, second),
                      Block::leaf("b1", 1, 1),
                      Block::hadamard("ab1", 1, {3, 4}),
                      Block::dense_sum("root", 1, {2, 5}, 2)};
    circuit.root = 6;
    return facts_of(circuit);
  };
  CHECK(choice(0, 1).deterministic);
  CHECK_FALSE(choice(1, 1).deterministic);
  CHECK(choice(0, 1).omni_compatible);
  CHECK_FALSE(facts_of(mixture({{"a", 2}, {"b", 2}}, 2)).deterministic);
  CHECK(facts_of(mixture({{"a", 2}, {"b", 2}}, 1)).deterministic);
}

TEST_CASE("pc: products of single variables go with any way to split them") {
  const std::vector<Variable> three = {{"a", 2}, {"b", 2}, {"c", 2}};
  CHECK(facts_of(mixture(three, 3)).omni_compatible);
  CHECK_FALSE(
      facts_of(hidden_tree(three, {-1, 0, 1}, {.transition = square_sum(2, {})})).omni_compatible);
  CHECK_FALSE(facts_of(hidden_markov({"x", 2}, square_sum(2, {}))).omni_compatible);
}

TEST_CASE("pc: every fault of a circuit is found, with the block that has it") {
  const auto has = [](const std::vector<std::string>& texts, const std::string& text) {
    return std::ranges::any_of(texts, [&](const auto& one) { return one.starts_with(text); });
  };
  const auto several = faults_after([](Circuit& c) {
    c.blocks[0].variable = 5;
    c.blocks[1].id = "la";
    c.blocks[3].children = {9};
  });
  CHECK(has(several, "la: is a leaf of a variable that does not exist"));
  CHECK(has(several, "la: two blocks have this id"));
  CHECK(has(several, "root: has a child that is not among the blocks"));
  CHECK(has(faults_after([](Circuit& c) {
              c.blocks[2].children = {0, 0};
            }),
            "h: multiplies children that share {a} (not decomposable)"));
  const auto lacking = faults_after([](Circuit& c) { c.blocks[2].children = {0}; });
  CHECK(has(lacking, "lb: is not reached from the root"));
  CHECK(has(lacking, "root: has no leaf of {b}"));
  CHECK(has(faults_after([](Circuit& c) {
              c.blocks[3] = Block::dense_sum("root", 1, {2, 0}, 4);
            }),
            "root: sums children of different variables, {a, b} and {a} (not smooth)"));
  CHECK(has(faults_after([](Circuit& c) { c.blocks[0].size = 3; }),
            "h: has children that differ from it in size"));
  CHECK(has(faults_after([](Circuit& c) {
              c.blocks[2].children = {0, 3};
            }),
            "h: depends on itself (a cycle)"));
  CHECK(has(faults_after([](Circuit& c) { c.blocks[3] = Block::dense_sum("root", 1, {2}, 3); }),
            "root: has weights for 3 inputs, and its children have 2 nodes"));
  CHECK(has(faults_after([](Circuit& c) { c.blocks[1].tied_to = 0; }),
            "lb: is tied to la, whose parameters have another shape"));
  CHECK(
      has(faults_after([](Circuit& c) { c.blocks[0].id = "a/b"; }), "a/b: its id is not 1 to 64"));
  CHECK(has(faults_after([](Circuit& c) { c.carried = 2; }),
            ": a carry block and the block that it carries go together"));
  CHECK(has(faults_after([](Circuit& c) { c.blocks[3].size = 2; }),
            "root: the root has more than one node"));
}

TEST_CASE("golden/pc/generic_circuit invalid") {
  const Json* item = golden::field("pc", "generic_circuit");
  if (!item) return;
  const Circuit sound = read_circuit(item->at("circuit").dump(), "golden").circuit;
  const auto number = [&](const std::string& id) {
    const auto found = std::ranges::find(sound.blocks, id, &Block::id);
    return static_cast<int>(found - sound.blocks.begin());
  };
  // Changes are written as words: "replace children of root by [h2, h1]".
  for (const Json& edit : item->at("invalid").items()) {
    const std::string change = edit.at("change").string();
    CAPTURE(change);
    Circuit circuit = sound;
    const std::size_t of = change.find(" of ") + 4, open = change.find('[');
    Block& block = circuit.blocks[at(number(change.substr(of, change.find(' ', of) - of)))];
    block.children.clear();
    for (std::size_t begin = open + 1; begin < change.size();) {
      const std::size_t end = change.find_first_of(",]", begin);
      block.children.push_back(number(change.substr(begin, end - begin)));
      begin = change[end] == ']' ? change.size() : end + 2;
    }
    CHECK(!find_faults(circuit).empty());
  }
}

TEST_CASE("pc: a circuit that is written is read as the same circuit") {
  const std::vector<Variable> variables = {{"a", 2}, {"a \"b\"", 3}, {"c", 2}};
  const std::vector<Circuit> all = {
      small_circuit(), mixture(variables, 3),
      hidden_markov({"x", 27}, {.m = {4, 2}, .n = {2, 4}, .program = {}}),
      hidden_tree(variables, {1, -1, 1},
                  {.transition = {.m = {2, 2}, .n = {2, 2}, .program = {1, 2, 1}}})};
  for (const Circuit& circuit : all) {
    const std::string text = write_circuit(circuit);
    const CircuitText read = read_circuit(text, "s");
    CHECK(write_circuit(read.circuit) == text);
    CHECK(read.circuit.variables.back().name == circuit.variables.back().name);
    CHECK(Json::parse(text, "s").at("root").string() == "root");
  }
}

TEST_CASE("pc: the parameters of blocks that are alike but for their number lie in one tensor") {
  const std::vector<Variable> three(3, {"x", 5});
  const auto tensors_of = [](const Circuit& circuit) {
    ParamSet params;
    const auto places = add_tensors(circuit, params);
    std::string text;
    for (const ParamInfo& info : params.infos()) text += info.name + info.shape.text() + ' ';
    return text;
  };
  CHECK(tensors_of(hidden_tree(three, {1, -1, 1}, {.transition = square_sum(4, {})})) ==
        "leaf/p[3,4,5] down/w[2,4,4] root/w[1,4] ");
  CHECK(tensors_of(hidden_tree(three, {1, -1, 1},
                               {.transition = square_sum(4, {}), .ties = {TieLeaves::all}})) ==
        "leaf.2/p[4,5] down/w[2,4,4] root/w[1,4] ");
  Circuit unlike = mixture({{"a", 2}, {"b", 3}}, 4);
  CHECK(tensors_of(unlike) == "leaf.0/p[4,2] leaf.1/p[4,3] root/w[1,4] ");
  Circuit taken = mixture(three, 4);
  taken.blocks.back().id = "leaf";
  CHECK(tensors_of(taken) == "leaf.0/p[4,5] leaf.1/p[4,5] leaf.2/p[4,5] leaf/w[1,4] ");
}

TEST_CASE("pc: hmmlearn's three arrays are a hidden Markov model with these parameters") {
  const CircuitText read = read_structure(R"({"hmm": {"startprob": [0.6, 0.4],
    "transmat": [[0.7, 0.3], [0.4, 0.6]], "emissionprob": [[0.1, 0.4, 0.5], [0.6, 0.3, 0.1]]}})",
                                          "s.json");
  CHECK(read.circuit.chained());
  CHECK(read.circuit.variables.at(0).categories == 3);
  CHECK(read.weights.at(1) == std::vector<double>{0.7, 0.3, 0.4, 0.6});
  CHECK(read.weights.at(at(read.circuit.root)) == std::vector<double>{0.6, 0.4});
}

TEST_CASE("pc: a structure that makes no sense is a data error that says where") {
  const std::string good = two_leaves;
  CHECK(refusal(good) == "");
  CHECK(refusal("{") == "s.json: line 1: expected a name in quotes");
  CHECK(refusal("[1, 2]") == "s.json: line 1: expected an object with variables and blocks");
  CHECK(refusal(good + "]") == "s.json: line 3: something follows the end of the value");
  CHECK(refusal(replaced(good, "\"sum\"", "\"plus\"")) ==
        "s.json: line 3: a block of type \"plus\" is not known: leaf, sum, product or carry");
  CHECK(refusal(replaced(good, "[\"l\"]", "[\"m\"]")) == "s.json: line 3: there is no block \"m\"");
  CHECK(refusal(replaced(good, "{\"id\": \"r\"",
                         R"({"id": "l", "type": "carry", "size": 2}, {"id": "r")"))
            .find("two blocks have this id") != std::string::npos);
  CHECK(refusal(replaced(good, "[0.5, 0.5]", "[0.5]")) ==
        "s.json: block l has 3 numbers, expected 4");
  CHECK(refusal(replaced(good, "\"cats\": 2", "\"cats\": 1e9")).find("1000000000 categories") !=
        std::string::npos);
  CHECK(refusal(replaced(good, "\"var\": 0", "\"var\": 0.5")) ==
        "s.json: line 2: expected a whole number");
  CHECK(refusal(std::string(100, '[')).find("values lie more than 32 deep") != std::string::npos);
  CHECK(refusal(std::string(std::size_t{11} << 20, ' ')).find("11534336 bytes") !=
        std::string::npos);
  CHECK(refusal(R"({"hmm": {"startprob": [1], "transmat": [[1]], "emissionprob": [[0.5], []]}})")
            .find("rows of different length") != std::string::npos);
}

TEST_CASE("pc: the structures that fuzzers begin with are read") {
  int read = 0;
  for (const auto& seed :
       std::filesystem::directory_iterator(LOGPX_SOURCE_DIR "/tests/fuzz/corpus/circuit")) {
    CAPTURE(seed.path().string());
    std::ostringstream whole;
    whole << std::ifstream(seed.path(), std::ios::binary).rdbuf();
    std::string text = whole.str();
    text.resize(std::min(text.size(), text.find('\0')));  // parameters follow
    CHECK(refusal(text) == "");
    ++read;
  }
  CHECK(read == 7);
}

TEST_CASE("pc: a structure of a million blocks is refused before memory is taken for them") {
  std::string text = R"({"variables": [{"name": "a", "cats": 2}], "root": "r", "blocks": [)";
  for (int i = 0; i < 1'000'000; ++i) text += "{},";
  text.back() = ']';
  CHECK(refusal(text + '}').find("there are more than ") != std::string::npos);
}

TEST_CASE("pc: a structure too long to be read back is not written") {
  const std::vector<Variable> variables(50'000, {std::string(200, 'x'), 2});
  CHECK_THROWS_WITH(static_cast<void>(write_circuit(mixture(variables, 2))),
                    doctest::Contains("bytes, expected at most 10485760"));
}

}  // namespace logpx::circuit_test
