#include "libcore/families/pc/products/product_model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/start.hpp"
#include "libcore/families/pc/text/circuit_numbers.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace logpx::pc {
namespace {

const PcModel& circuit_of(const FactorModel& factor) {
  const auto* const model = dynamic_cast<const PcModel*>(factor.model);
  if (model != nullptr) return *model;
  fail(ErrorKind::data, factor.name,
       "is a model of family " + factor.model->info().family + ", expected pc");
}

// Values must mean the same in both.
void require_same_values(const FactorModel& first, const FactorModel& other) {
  const PcModel &a = circuit_of(first), &b = circuit_of(other);
  const DatasetInfo &here = a.info().data, &there = b.info().data;
  const auto differ = [&](const std::string& how) { differ_in_form(first.name, other.name, how); };
  if (here.alphabet != there.alphabet || here.tokens != there.tokens)
    differ("their symbols stand for other letters");
  if (here.column_words != there.column_words) differ("their columns hold other words");
  if (here.column_names != there.column_names) differ("their columns have other names");
  if (here.content != there.content)
    differ(std::string("they are about ") + word_of(here.content) + " and " +
           word_of(there.content));
  if (a.config().binarise != b.config().binarise ||
      a.config().binarise_seed != b.config().binarise_seed)
    differ("they binarise in different ways");
  if (a.config().transform != b.config().transform) differ("only one of them transforms colours");
  if (a.rows().rules().columns != b.rows().rules().columns)
    differ("their real numbers are in different units, those of the data that each learned from");
}

std::vector<ProductFactor> factors_of(std::span<const FactorModel> models) {
  std::vector<ProductFactor> factors;
  for (const FactorModel& factor : models) {
    const PcModel& model = circuit_of(factor);
    factors.push_back({factor.name, with_numbers(model.plan(), model.param_set())});
  }
  return factors;
}

void require_room(const Circuit& circuit, std::int64_t memory) {
  double numbers = 0;
  for (const Block& block : circuit.blocks)
    for (const TensorForm& form : tensor_forms(circuit, block))
      if (block.tied_to < 0) numbers += static_cast<double>(form.shape.elements());
  const double bytes = numbers * (sizeof(double) + sizeof(float));
  if (memory <= 0 || bytes <= static_cast<double>(memory)) return;
  fail(ErrorKind::usage, "--memory",
       "is " + human_bytes(static_cast<std::uint64_t>(memory)) + ", and the product needs " +
           human_bytes(static_cast<std::uint64_t>(bytes)) + " while it is made");
}

std::string program_text(const std::vector<int>& program) {
  std::vector<std::string> axes;
  for (const int axis : program) axes.push_back(std::to_string(axis));
  return join_text(axes, ",");
}

// The first sum says what options would have said of all.
Config config_of(const Config& first, const Circuit& from, const Circuit& circuit) {
  Config config = first;
  config.factors.clear();
  config.program.clear();
  config.hidden = 1;
  for (const Block& block : circuit.blocks) {
    if (block.kind == BlockKind::product) config.hidden = std::max(config.hidden, block.size);
    if (block.kind != BlockKind::sum || block.size == 1) continue;
    config.hidden = block.size;
    config.factors = factors_text(block.factors);
    std::vector<int> usual(block.factors.m.size());
    std::iota(usual.begin(), usual.end(), 1);
    if (block.factors.program != usual) config.program = program_text(block.factors.program);
    break;
  }
  const auto same_leaf = [](const Block& a, const Block& b) { return a.leaf_kind == b.leaf_kind; };
  if (!std::ranges::equal(from.blocks, circuit.blocks, same_leaf)) config.leaf = "auto";
  return config;
}

}  // namespace

ModelProduct multiply_models(std::span<const FactorModel> models, const ProductOptions& options,
                             ProductUse use, std::int64_t memory) {
  const std::vector<ProductFactor> factors = factors_of(models);
  require_one_form(factors);
  for (const FactorModel& other : models.subspan(1)) require_same_values(models[0], other);
  const Circuit circuit = product_circuit(factors);
  require_room(circuit, memory);
  const PcModel& first = circuit_of(models[0]);
  ModelProduct made{.config = config_of(first.config(), first.circuit(), circuit),
                    .data = first.info().data,
                    .whole = {},
                    .options = options,
                    .steps = first.steps()};
  Normalise& how = made.options.normalize;
  if (how == Normalise::automatic && use == ProductUse::start) how = Normalise::local;
  if (how == Normalise::automatic) how = circuit.chained() ? Normalise::perron : Normalise::push;
  CircuitProduct product = multiply(factors);
  made.ln_z = normalise_product(product, factors, how, made.steps) +
              first.rows().rules().columns.log_jacobian();
  made.whole = std::move(product.whole);
  return made;
}

std::unique_ptr<PcModel> model_of(ModelProduct product, const Rng& rng) {
  auto model = std::make_unique<PcModel>(product.config, product.data, product.whole.circuit);
  FirstParameters({.rows = {},
                   .rng = rng,
                   .frequencies = {},
                   .weights = std::move(product.whole.weights),
                   .file = "product",
                   .perturb = product.options.perturb})
      .set(*model, 0);
  if (!product.whole.circuit.ln_z) return model;
  try {
    model->filled();
  } catch (const Error& error) {
    fail(ErrorKind::numeric, "--normalize none",
         "makes weights that are too small to be stored: the product " + error.message());
  }
  return model;
}

void require_asked(const Config& asked, const Config& product, const Fields& given) {
  Config other = asked;
  Fields described;
  other.describe(described);
  for (const Field& field : described.all()) {
    const Field* const own = given.find_key(field.key());
    const bool compared =
        field.key() == "structure" || field.key() == "hidden" || field.key() == "factors";
    if (!compared && own != nullptr && own->given())
      fail(ErrorKind::usage, own->option(), "is that of the models with --init product");
  }
  const auto refuse = [](const char* option, const std::string& is, const std::string& has) {
    fail(ErrorKind::usage, option, "is " + is + ", and the product's is " + has);
  };
  if (is_given(given, "--structure") && asked.structure != product.structure)
    refuse("--structure", asked.structure, product.structure);
  if (is_given(given, "--hidden") && asked.hidden != product.hidden)
    refuse("--hidden", std::to_string(asked.hidden), std::to_string(product.hidden));
  if (!is_given(given, "--factors")) return;
  const MonarchFactors wanted = read_factors(asked.factors, product.hidden),
                       own = product.sum_factors();
  if (wanted.m != own.m || wanted.n != own.n) refuse("--factors", asked.factors, factors_text(own));
}

}  // namespace logpx::pc
