// Fuzz target of circuits that anyone may have written: the text of a structure, as `--structure
// file` reads it and as models store it; after a byte 0, bytes that overwrite the parameters of the
// model, behind all checksums. It is refused by a data or numeric error, or its text can be written
// and read again, and the model scores rows, draws values of its variables, and codes what it can.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/start.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/model/plan.hpp"
#include "libcore/model/task_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace logpx;
using namespace logpx::pc;

namespace {

constexpr std::int64_t most_numbers = 20'000;  // so that each input takes milliseconds
constexpr std::int64_t rows = 3, steps = 4;    // of a chain

void require(bool holds) {
  if (!holds) __builtin_trap();
}

HeldRows rows_of(const Circuit& circuit) {
  HeldRows held;
  held.info.name = "rows";
  held.info.content = Content::symbols;
  held.info.n = held.rows.count = rows;
  std::vector<std::int64_t> levels;
  for (std::int64_t t = 0; t < (circuit.chained() ? steps : 1); ++t)
    for (const Variable& variable : circuit.variables) levels.push_back(variable.categories);
  held.info.shape = {std::ssize(levels)};
  held.info.element = Element::f32;
  if (!circuit.has_reals() && !circuit.has_own_values()) {
    held.info.levels = std::ranges::max(levels);
    held.info.element = held.info.levels <= 256 ? Element::u8 : Element::i16;
    if (!circuit.chained()) held.info.column_words.counts = levels;
  }
  held.rows.x.resize(at(rows) * held.info.row_bytes());
  for (std::int64_t i = 0; i < rows * std::ssize(levels); ++i) {
    const std::int64_t values = levels[at(i % std::ssize(levels))];
    const std::vector<double>& own =
        circuit.variables[at(i % std::ssize(levels)) % circuit.variables.size()].values;
    const std::int64_t x = values == 0 ? i % 5 - 2 : i * i % values;
    switch (held.info.element) {
      case Element::u8:
        held.rows.values<std::uint8_t>()[at(i)] = static_cast<std::uint8_t>(x);
        break;
      case Element::i16:
        held.rows.values<std::int16_t>()[at(i)] = static_cast<std::int16_t>(x);
        break;
      default:
        held.rows.values<float>()[at(i)] =
            static_cast<float>(own.empty() ? static_cast<double>(x) : own[at(x) % own.size()]);
    }
  }
  return held;
}

// Training would learn styles from rows; here all are equally frequent.
void even_styles(ParamSet& params) {
  for (const char* name : {style_prior_tensor, style_values_tensor})
    for (int i = 0; i < params.count(); ++i) {
      if (params.infos()[at(i)].name != name) continue;
      const View<float> all = params.view(i);
      std::ranges::fill(all.span(), 1 / static_cast<float>(all.shape.back()));
    }
}

void overwrite(Model& model, std::span<const std::byte> bytes) {
  model.params([&](const TensorRef& tensor, TensorRole role) {
    if (role == TensorRole::constant) return;
    const std::size_t n = std::min(bytes.size(), tensor.bytes.size());
    if (n > 0) std::memcpy(tensor.bytes.data(), bytes.data(), n);
    bytes = bytes.subspan(n);
  });
}

void there_and_back(const Model& model, const HeldRows& held) {
  Workers alone(1);
  const auto codec = abilities(model).code;
  const std::unique_ptr<CodingPlan> plan = codec->plan();
  plan->settle({}, alone);
  const auto scheme = plan->scheme(alone);
  const std::vector<std::uint8_t> items = codec->items(held.examples());
  codec::Message message(2);
  codec::Costs costs;
  scheme->encode(message, items, 0, costs);
  codec::Message read = codec::Message::parse(message.serialise(), 2);
  std::vector<std::uint8_t> decoded(items.size());
  scheme->decode(read, decoded, 0);
  require(decoded == items);
}

void use(const PcModel& model, const HeldRows& held) {
  for (const double nats : model.log_p(held.examples())) {
    require(!std::isnan(nats));
    require(model.circuit().has_reals() || nats < 1e-3);
  }
  const SampleChunk drawn = abilities(model).sampling()->make(0, 2, Rng(1));
  if (held.info.element == Element::u8)
    for (const std::uint8_t x : drawn.rows.values<std::uint8_t>()) require(x < held.info.levels);
  there_and_back(model, held);
}

void build(CircuitText read, std::span<const std::byte> parameters) {
  const HeldRows held = rows_of(read.circuit);
  PcModel model(Config{}, held.info, read.circuit);
  FirstParameters({.rows = {},
                   .rng = Rng(1),
                   .frequencies = frequencies_of(model.rows(), model.circuit(), held.examples()),
                   .weights = std::move(read.weights),
                   .file = "structure"})
      .set(model, 0);
  even_styles(model.param_set());
  overwrite(model, parameters);
  model.filled();
  use(model, held);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\0'), size);
  const auto parameters = std::as_bytes(std::span(input).subspan(std::min(end + 1, size)));
  try {
    CircuitText read = read_structure(input.substr(0, end), "structure");
    require_valid(read.circuit, "structure");
    const CircuitFacts facts = facts_of(read.circuit);
    const auto variables = std::ssize(read.circuit.variables);
    if (std::max({facts.nodes, facts.parameters, 100 * variables}) > most_numbers) return 0;
    const std::string text = write_circuit(read.circuit);
    require(write_circuit(read_circuit(text, "structure").circuit) == text);
    build(std::move(read), parameters);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data || error.kind() == ErrorKind::numeric);
  }
  return 0;
}
