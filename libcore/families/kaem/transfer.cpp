#include "libcore/families/kaem/transfer.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/kaem/model.hpp"

#include <map>

namespace logpx::kaem {
namespace {

const std::vector<std::string> prior_options = {"--prior", "--latent", "--coupling",
                                                "--base",  "--domain", "--alpha"};
const std::vector<std::string> curve_options = {"--basis", "--grid", "--degree", "--activation",
                                                "--tau-fixed"};
const std::vector<std::string> generator_options = {
    "--generator",   "--hidden",         "--channels",   "--kernel",     "--strides",
    "--pads",        "--latent-concat",  "--batchnorm",  "--layer-norm", "--range-fix",
    "--leaky-slope", "--autoregressive", "--likelihood", "--obs-std",    "--pca",
    "--whiten",      "--mean-activation"};

KaemModel& kaem_of(const StartPart& part, const char* option) {
  auto* const model = dynamic_cast<KaemModel*>(part.model);
  if (model == nullptr)
    fail(ErrorKind::data, part.name,
         "is a model of family " + part.model->info().family + ", and " + option +
             " takes one of family kaem");
  return *model;
}

// By an option or a settings file, in words that leave nothing open.
bool is_chosen(const Fields& given, const std::string& option) {
  const Field* const field = given.find_option(option);
  return field != nullptr && field->origin() >= Origin::config && field->text() != "auto";
}

// The options of a run, filled in part after part.
class OptionsOfRun {
 public:
  OptionsOfRun(const Fields& given, Config& config) : given_(given), config_(config) {
    config_.describe(fields_);
  }

  // Takes `options` as `from` has them.
  void take(const std::vector<std::string>& options, Config from, const std::string& owner) {
    from = spelt_out(std::move(from));
    Fields theirs;
    from.describe(theirs);
    for (const std::string& option : options) take_one(*theirs.find_option(option), owner);
  }
  // Takes Q alone, the only thing that a generator knows of the prior.
  void take_sums(const Config& from, const std::string& owner) {
    const PriorForm wanted = from.prior_form();
    const bool chosen = is_chosen(given_, "--latent") || taken_.contains("--latent");
    if (!chosen) config_.latent = {wanted.n_p, wanted.n_q};
    const PriorForm form = config_.prior_form();
    if (form.n_q == wanted.n_q) return;
    const std::string latents = std::to_string(form.n_p) + "," + std::to_string(form.n_q);
    refuse("--latent", latents, "takes Q = " + std::to_string(wanted.n_q), owner);
  }

 private:
  void take_one(const Field& theirs, const std::string& owner) {
    const std::string option = theirs.option(), value = theirs.text();
    Field& field = *fields_.find_option(option);
    if (!is_chosen(given_, option) && !taken_.contains(option)) {
      if (theirs.repeats()) field.read_items(theirs.items(), option, Origin::config);
      else field.read(value, option, Origin::config);
      taken_[option] = owner;
      return;
    }
    Config now = spelt_out(config_);
    Fields ours;
    now.describe(ours);
    const std::string here = ours.find_option(option)->text();
    if (!same_value(here, value)) refuse(option, here, "has " + value, owner);
  }
  [[noreturn]] void refuse(const std::string& option, const std::string& here,
                           const std::string& there, const std::string& owner) const {
    const auto taken = taken_.find(option);
    fail(ErrorKind::usage, option,
         "is " + here + (taken == taken_.end() ? "" : " in " + taken->second) + ", but " + owner +
             ' ' + there,
         taken == taken_.end() ? "leave out " + option : "");
  }

  const Fields& given_;
  Config& config_;
  Fields fields_;
  std::map<std::string, std::string> taken_;  // by option: whose it is
};

std::vector<TensorRef> tensors_under(KaemModel& model, const std::string& part) {
  std::vector<TensorRef> found;
  model.params([&](const TensorRef& tensor, TensorRole) {
    if (lies_under(tensor.name, part)) found.push_back(tensor);
  });
  return found;
}

}  // namespace

Config spelt_out(Config config) {
  const PriorForm form = config.prior_form();
  config.latent = {form.n_p, form.n_q};
  config.domain = {form.energies.low, form.energies.high};
  if (config.generator.kind == GeneratorKind::cnn) return config;
  std::vector<std::string> widths;
  for (const std::int64_t width : hidden_widths(config.hidden, form.n_q))
    widths.push_back(std::to_string(width));
  config.hidden = join_text(widths, ",");
  return config;
}

bool same_value(const std::string& a, const std::string& b) {
  const auto x = parse_real(a), y = parse_real(b);
  return a == b || (x && y && *x == *y);
}

void take_options(const StartParts& parts, const Fields& given, Config& config) {
  if (config.latent.empty() || config.latent[0] < 1) return;  // refused when the model is built
  OptionsOfRun run(given, config);
  if (parts.prior.model != nullptr) {
    const Config& from = kaem_of(parts.prior, "--init-prior").config();
    const std::string owner = "the prior of " + parts.prior.name;
    run.take(prior_options, from, owner);
    run.take(curve_options, from, owner);
    if (from.tau_fixed) run.take({"--tau"}, from, owner);
  }
  if (parts.generator.model == nullptr) return;
  const Config& from = kaem_of(parts.generator, "--init-generator").config();
  const std::string owner = "the generator of " + parts.generator.name;
  run.take_sums(from, owner);
  run.take(generator_options, from, owner);
  if (from.generator.kind != GeneratorKind::kan) return;
  run.take(curve_options, from, owner);
  if (from.tau_fixed) run.take({"--tau"}, from, owner);
  if (from.generator.range_fix == RangeFix::affine) run.take({"--domain"}, from, owner);
}

void take_tensors(const StartParts& parts, KaemModel& model) {
  if (parts.prior.model != nullptr) {
    KaemModel& from = kaem_of(parts.prior, "--init-prior");
    if (from.prior_constants().formula.size() > 0) model.prior_constants().add_formulas();
    fill_tensors(tensors_under(model, "prior"), tensors_under(from, "prior"));
  }
  if (parts.generator.model != nullptr) {
    KaemModel& from = kaem_of(parts.generator, "--init-generator");
    if (from.dims() != model.dims())
      fail(ErrorKind::data, parts.generator.name,
           "makes x of " + std::to_string(from.dims()) + " numbers, but the data have " +
               std::to_string(model.dims()));
    fill_tensors(tensors_under(model, "generator"), tensors_under(from, "generator"));
    if (from.axes() != nullptr) model.take_axes(*from.axes());
  }
  model.filled();
}

}  // namespace logpx::kaem
