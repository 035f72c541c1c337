// Knobs of plans as options: one word, one meaning; what a plan lacks is refused.
#include "tools/store/job_options.hpp"

#include "formats/json/fields_json.hpp"
#include "libcore/base/error.hpp"
#include "libcore/eval/methods.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/coding_models.hpp"
#include "tests/support/contract.hpp"
#include "tests/support/mixture_model.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace logpx::job_options_test {
namespace {

const std::vector<Job> jobs = {Job::score, Job::sample, Job::code};

void register_fixtures() {
  register_coding_models();
  static_cast<void>(testing::families_under_contract());
}

// Every list of knobs that any family or method has.
std::vector<std::unique_ptr<Knobs>> all_knobs() {
  std::vector<std::unique_ptr<Knobs>> all;
  for (const Job job : jobs)
    for (const Family& family : families())
      for (auto& knobs : family.knobs_of(job)) all.push_back(std::move(knobs));
  for (const Method& method : latent_methods()) all.push_back(method.knobs());
  return all;
}

struct Tool {
  JobOptions knobs;
  Fields fields;
  explicit Tool(std::initializer_list<Job> of) : knobs(of) { knobs.describe(fields); }
  void give(const char* assignment) { fields.set(assignment, Origin::option); }
  [[nodiscard]] const Field& option(const char* name) const {
    const Field* field = fields.find_option(name);
    REQUIRE(field != nullptr);
    return *field;
  }
};

vae::VaeModel small_vae() {
  vae::Config config;
  config.latent = 2;
  config.hidden = {4};
  return {config, vectors_of(6, 2)};
}

std::string refusal(const JobOptions& knobs, SamplingPlan& plan) {
  Fields own;
  plan.describe(own);
  try {
    knobs.hand_to(own, {"vae", "sampling"});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("knobs: a word that two families share has one metavar and one meaning") {
  register_fixtures();
  struct Meaning {
    std::string metavar, unit;
    FieldType type;
    bool operator==(const Meaning&) const = default;
  };
  std::map<std::string, Meaning> known;
  for (const auto& knobs : all_knobs()) {
    Fields fields;
    knobs->describe(fields);
    for (const Field& field : fields.all()) {
      CAPTURE(field.option());
      const Meaning meaning{field.metavar(), field.unit(), field.type()};
      CHECK(known.try_emplace(field.key(), meaning).first->second == meaning);
    }
  }
  CHECK(known.contains("temperature"));
}

TEST_CASE("knobs: a family lists before a model is read what its plans describe") {
  vae::VaeModel model = small_vae();
  const Family& family = find_family("vae");
  const Abilities can = abilities(model);
  REQUIRE(family.score.size() == 1);
  CHECK(can.methods() == std::vector<std::string>{family.score.front().word});
  const auto listed = [&](Job job) {
    std::vector<Json> all;
    for (const auto& knobs : family.knobs_of(job)) {
      Fields fields;
      knobs->describe(fields);
      all.push_back(settings_json(fields));
    }
    REQUIRE(all.size() == 1);
    return all.front();
  };
  const auto described = [](auto plan) {
    Fields fields;
    plan->describe(fields);
    return settings_json(fields);
  };
  CHECK(listed(Job::score) == described(can.scoring(family.score.front().word)));
  CHECK(listed(Job::sample) == described(can.sampling()));
  CHECK(listed(Job::code) == described(can.code->plan()));
}

TEST_CASE("knobs: one of another family is refused with the words that this one knows") {
  register_fixtures();
  const vae::VaeModel model = small_vae();
  Tool tool({Job::sample});
  tool.give("component=2");
  CHECK(refusal(tool.knobs, *abilities(model).sampling()) ==
        "--component does nothing for this vae; for sampling it knows --mean, --temperature");
  MixtureModel mixture({.components = 3});
  const auto plan = abilities(mixture).sampling();
  tool.knobs.prepare(*plan, {"mixture-fixture", "sampling"});
  CHECK(settings_json(tool.fields).dump(-1) == R"({"temperature": 1.0, "component": 2})");
  tool.give("component=3");
  CHECK_THROWS_AS(tool.knobs.prepare(*plan, {"mixture-fixture", "sampling"}), Error);
}

TEST_CASE("knobs: a plan takes what was given, and its resolved fields become the config") {
  register_fixtures();
  const vae::VaeModel model = small_vae();
  Tool tool({Job::sample});
  CHECK(settings_json(tool.fields).size() == 0);
  CHECK(!tool.knobs.given());
  tool.give("temperature=0.25");
  CHECK(tool.knobs.given());
  const auto plan = abilities(model).sampling();
  tool.knobs.prepare(*plan, {"vae", "sampling"});
  CHECK(settings_json(tool.fields).dump(-1) == R"({"mean": false, "temperature": 0.25})");
  Fields own;
  plan->describe(own);
  CHECK(own.find_key("temperature")->text() == "0.25");
  CHECK_THROWS_AS(tool.knobs.refuse("does nothing here"), Error);
}

TEST_CASE("knobs: a settings file may say what holds anyway, and nothing else that a plan lacks") {
  register_fixtures();
  const vae::VaeModel model = small_vae();
  Tool tool({Job::sample});
  read_settings(tool.fields, Json::parse(R"({"component": -1, "mean": true})", "old.json"),
                "old.json", Origin::config);
  CHECK(refusal(tool.knobs, *abilities(model).sampling()).empty());
  const auto plan = abilities(model).sampling();
  tool.knobs.prepare(*plan, {"vae", "sampling"});
  CHECK(plan->gives_means());
  CHECK(settings_json(tool.fields).find("component") == nullptr);
  Tool other({Job::sample});
  read_settings(other.fields, Json::parse(R"({"component": 1})", "new.json"), "new.json",
                Origin::config);
  CHECK(refusal(other.knobs, *abilities(model).sampling())
            .starts_with("--component does nothing for"));
}

TEST_CASE("knobs: help and defaults that differ are told apart, and headings are the owners'") {
  register_fixtures();
  const Tool sampling({Job::sample});
  const Field& temperature = sampling.option("--temperature");
  for (const char* const of_family :
       {"vae: factor on z", "mixture-fixture: factor on the width of every component",
        "gauss-fixture: factor on the scale of every dimension"})
    CHECK(temperature.help().find(of_family) != std::string::npos);
  CHECK(temperature.default_text() == "1");
  CHECK(sampling.option("--mean").group() == "options");  // of two families
  CHECK(sampling.option("--component").group() == "mixture of Gaussians, for tests");
  const Tool scoring({Job::score, Job::code});
  CHECK(scoring.option("--samples").default_text() == "1 to 1000, by model and method");
  CHECK(scoring.option("--ais-steps").group() == "annealed importance sampling");
  CHECK(scoring.option("--latent-bits").group() == "options");  // of two families
}

TEST_CASE("knobs: a value that no family takes is refused before a model is read") {
  Tool tool({Job::score});
  CHECK_THROWS_AS(tool.give("samples=0"), Error);
  CHECK_THROWS_AS(tool.give("ais_from=nowhere"), Error);
  tool.give("ais_freeze=no");
  CHECK(tool.option("--ais-freeze").text() == "false");
}

}  // namespace logpx::job_options_test
