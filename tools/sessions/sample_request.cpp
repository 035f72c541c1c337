#include "tools/sessions/sample_request.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/example_dims.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/model/row_codes.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/known_option.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/store/model_store.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t first_impression = 32;  // rows of reconstructions

struct ModeRule {
  SampleMode mode;
  const char* option;              // that chooses the mode
  std::vector<const char*> takes;  // options that have an effect in it
};
const std::vector<ModeRule> mode_rules = {
    {SampleMode::ancestral,
     "",
     {"--num", "--given", "--known", "--index"}},  // and the knobs of the model's sampling
    {SampleMode::manifold, "--manifold", {"--dims"}},
    {SampleMode::traverse, "--traverse", {"--range", "--points"}},
    {SampleMode::interpolate, "--interpolate", {"--data", "--points", "--slerp", "--binarise"}},
    {SampleMode::reconstruct, "--reconstruct", {"--index", "--binarise"}},
    {SampleMode::encode, "--encode", {"--index", "--binarise"}}};

const ModeRule& rule_of(SampleMode mode) {
  return *std::ranges::find(mode_rules, mode, &ModeRule::mode);
}

void data_field(Field& field) {
  field.metavar("DATASET[:SPLIT]").external().files("*.h5 of dataset").hidden_default();
}

enum class Needed { latents, posterior, normal_prior };

const ModelLatents& latents_of(const Abilities& can, const std::string& option, Needed wanted) {
  const ModelLatents* const latents = can.latents.get();
  const std::string& family = can.info().family;
  if (latents == nullptr)
    fail(ErrorKind::usage, option, "needs latents, and a model of family " + family + " has none",
         "families with latents: " + families_with(&Family::latents));
  if (wanted == Needed::posterior && !latents->has_posterior())
    fail(ErrorKind::usage, option, "needs an encoder, and this " + family + " has none");
  if (wanted == Needed::normal_prior && !latents->standard_normal_prior())
    fail(ErrorKind::usage, option,
         "needs latents that are standard normal, and those of this " + family + " are not",
         "--traverse");
  return *latents;
}

LatentPlane plane_of(const std::vector<std::int64_t>& chosen, std::int64_t latents) {
  if (chosen.empty() && latents != 2)
    fail(ErrorKind::usage, "--manifold",
         "needs two latents, and this model has " + std::to_string(latents),
         latents > 2 ? "--dims 0,1 chooses two" : "--traverse 0");
  if (chosen.empty()) return {};
  if (chosen.size() != 2) fail(ErrorKind::usage, "--dims", "expected two latents, A,B");
  return {chosen[0], chosen[1]};
}

// The codes of rows: of models with latents, and of those that have others for them.
std::shared_ptr<const RowCodes> codes_for(const Abilities& can, const std::string& option) {
  if (can.latents) static_cast<void>(latents_of(can, option, Needed::posterior));
  if (can.codes) return can.codes;
  const auto has_codes = [](const Family& family) { return family.codes || family.latents; };
  fail(ErrorKind::usage, option,
       "needs codes of rows, and a model of family " + can.info().family + " has none",
       "families with codes: " + families_where(has_codes));
}

std::vector<float> code_of(const RowCodes& codes, const RequestedRows& rows, std::int64_t row) {
  const std::int64_t count = rows.end - rows.begin;
  if (row < 0 || row >= count)
    fail(ErrorKind::usage, "--interpolate",
         "there is no row " + std::to_string(row) + " among " + std::to_string(count) + " rows");
  return encode_row(codes, *rows.file, rows.begin + row);
}

}  // namespace

void SampleRequest::describe(Fields& f) {
  f.group("samples");
  f.add("num", count, "how many samples; with --given, of each of its rows")
      .about(
          "Sample i depends on the model, the seed and i alone, so that a hundred samples are the "
          "first of a thousand. Time grows with their number, and memory does not.")
      .short_name('n')
      .range(1, 1e12)
      .shows_default("64; 1 with --given");
  knobs.describe(f);
  f.group("latent space");
  f.add("manifold", manifold, "a grid of N x N means over the quantiles of two latents")
      .about(
          "It shows what two latents mean: every node of the grid stands for the same share of "
          "p(z). Of a model with more latents --dims chooses two, and the others are 0.")
      .range(2, 1000);
  f.add("dims", dims, "the two latents of --manifold: to the right, upwards")
      .metavar("A,B")
      .shows_default("0,1")
      .rank(Rank::manual);
  f.add("traverse", traverse, "a line of means for each of these latents")
      .about(
          "One latent at a time goes along --range while the others stay at 0, so that what "
          "changes is what it means. A latent along which nothing changes tells the model nothing.")
      .metavar("DIM,...");
  f.add("range", range, "first and last value of a line").metavar("A,B").rank(Rank::manual);
  f.add("interpolate", interpolate, "means between the codes of two rows")
      .metavar("I,J")
      .rank(Rank::manual);
  f.add("points", points, "points of a line").range(2, 100000).rank(Rank::manual);
  f.add("slerp", slerp, "interpolate along an arc").rank(Rank::manual);
  f.group("data");
  data_field(f.add("reconstruct", reconstruct, "each row of these data, its mean and a draw"));
  data_field(f.add("encode", encode, "codes of these data, such as posterior means"));
  Field& walked = f.add("data", data, "the data that --interpolate takes rows from");
  data_field(walked);
  walked.rank(Rank::manual);
  data_field(f.add("given", given, "rows of which --known is kept and the rest is drawn")
                 .about("What --known names stays as it is in each row, and the rest is drawn as "
                        "the model would go on: given what is known exactly where all orders "
                        "agree, else with --infill exact or sir, and by a diffusion model with "
                        "many --particles. query-pc does it for circuits. Partial molecules "
                        "(pack-data smiles --grow) need no --known."));
  f.add("known", known, "what is kept: columns of a table, rows:A-B, cols:A-B, every:K or a mask")
      .metavar("PART")
      .rank(Rank::manual);
  f.add("index", index, "rows A to B-1 of these data")
      .metavar("A:B")
      .shows_default("0:32; all for --encode and --given");
  describe_reading(f, binarise);
}

const std::string& SampleRequest::dataset() const {
  for (const std::string* one : {&reconstruct, &encode, &given})
    if (!one->empty()) return *one;
  return data;
}

void SampleRequest::check(const Fields& fields) {
  const auto was_given = [&](const char* option) { return is_given(fields, option); };
  const ModeRule* chosen = &mode_rules.front();
  for (const ModeRule& rule : std::span(mode_rules).subspan(1)) {
    if (!was_given(rule.option)) continue;
    if (chosen != &mode_rules.front())
      fail(ErrorKind::usage, rule.option, std::string("excludes ") + chosen->option);
    chosen = &rule;
  }
  for (const ModeRule& rule : mode_rules)
    for (const char* option : rule.takes)
      if (was_given(option) && std::ranges::find(chosen->takes, option) == chosen->takes.end())
        fail(ErrorKind::usage, option,
             chosen == &mode_rules.front() ? std::string("goes with ") + rule.option
                                           : std::string("does nothing with ") + chosen->option);
  mode = chosen->mode;
  if (given.empty() && !known.empty()) fail(ErrorKind::usage, "--known", "goes with --given");
  if (!given.empty() && !was_given("--num")) count = 1;
  if (mode != SampleMode::ancestral)
    knobs.refuse(std::string("does nothing with ") + chosen->option);
  if (mode == SampleMode::interpolate && interpolate.size() != 2)
    fail(ErrorKind::usage, "--interpolate", "expected two rows, I,J");
  if (mode == SampleMode::interpolate && data.empty())
    fail(ErrorKind::usage, "--interpolate", "needs --data DATASET, which has the two rows");
  if (range.size() != 2) fail(ErrorKind::usage, "--range", "expected two numbers, A,B");
}

KnownRows SampleRequest::given_rows(const DatasetInfo& model, const RequestedRows& rows) const {
  KnownRows made{.rows = {}, .draws = count};
  made.rows.first = rows.begin;
  if (rows.partial) {
    made.rows.info = model;
    made.rows.rows = rows.partial->rows;
    made.known = rows.partial->known;
    return made;
  }
  if (known.empty())
    fail(ErrorKind::usage, "--given", "needs to know what of each row is kept", "--known every:2");
  made.rows.info = rows.file->info();
  made.rows.rows = rows.file->read(rows.begin, rows.end);
  made.known = read_known_places(known, rows.file->info());
  return made;
}

// Partial molecules say themselves what is known, and need not have the model's atoms and room.
void SampleRequest::fit(App& app, const ModelInfo& model, RequestedRows& rows) const {
  const DatasetInfo& info = rows.file->info();
  const bool partial = !given.empty() && info.has_missing && info.content == Content::molecules &&
                       model.data.content == Content::molecules;
  if (!partial) return require_fit(model, info, dataset());
  if (!known.empty())
    fail(ErrorKind::usage, "--known", "does nothing for molecules of which a part is not known");
  rows.partial =
      partial_molecules(model.data, {info, rows.file->read(rows.begin, rows.end), given});
  if (const std::int64_t left = rows.partial->left_out; left > 0)
    app.warn(counted(left, "row") + " of more than " + std::to_string(longest_example(model.data)) +
             " atoms left out: the model knows no larger molecules");
}

std::unique_ptr<SampleMaker> SampleRequest::draws(const Abilities& can,
                                                  const std::optional<RequestedRows>& rows,
                                                  Rng rng) {
  std::unique_ptr<SamplingPlan> plan = can.sampling();
  if (!rows) {
    knobs.prepare(*plan, {can.info().family, "sampling"});
    return make_samples(*can.model, std::move(plan), count, rng);
  }
  Completion* const completion = plan->completion();
  if (completion == nullptr)
    fail(ErrorKind::usage, "--given",
         "is for models of orders and diffusion models, and this one is of family " +
             can.info().family,
         "query-pc --query complete fills rows by a circuit");
  completion->start_from(given_rows(can.info().data, *rows));
  knobs.prepare(*plan, {can.info().family, "sampling"});
  return make_samples(*can.model, std::move(plan), count * rows->count(), rng);
}

std::unique_ptr<SampleMaker> SampleRequest::maker(const Abilities& can,
                                                  const std::optional<RequestedRows>& rows,
                                                  Rng rng) {
  if (mode == SampleMode::ancestral) return draws(can, rows, rng);
  const char* const option = rule_of(mode).option;
  const auto walk = [&](LatentWalk points_of_it) {
    return make_walk({can.info(), can.codes}, std::move(points_of_it));
  };
  switch (mode) {
    case SampleMode::manifold: {
      const std::int64_t width = latents_of(can, option, Needed::normal_prior).dims();
      return walk(logpx::manifold(width, *manifold, plane_of(dims, width)));
    }
    case SampleMode::traverse: {
      const std::int64_t width = latents_of(can, option, Needed::latents).dims();
      return walk(traversal(width, traverse, {range[0], range[1]}, points));
    }
    case SampleMode::interpolate: {
      const auto codes = codes_for(can, option);
      return walk(interpolation(code_of(*codes, *rows, interpolate[0]),
                                code_of(*codes, *rows, interpolate[1]), points,
                                slerp ? Path::arc : Path::line));
    }
    case SampleMode::ancestral:
    case SampleMode::reconstruct:
    case SampleMode::encode: break;
  }
  const DataPart part{*rows->file, rows->begin, rows->end};
  if (mode == SampleMode::encode) return make_encodings({can.info(), codes_for(can, option)}, part);
  static_cast<void>(latents_of(can, option, Needed::posterior));
  return make_reconstructions(can, part, rng);
}

std::optional<RequestedRows> open_requested(App& app, const SampleRequest& request) {
  if (request.dataset().empty()) return std::nullopt;
  const DatasetName name = parse_dataset_name(request.dataset());
  RequestedRows rows{.file = std::make_unique<DatasetFile>(name.path)};
  app.add_input({.role = "data",
                 .path = name.path,
                 .kind = "dataset",
                 .content_hash = rows.file->content_hash(),
                 .provenance = rows.file->provenance()});
  const RowSelection all = select_rows(rows.file->info(), name, "", {});
  const std::int64_t count = all.end - all.begin;
  RowRange index = request.index.value_or(RowRange{});
  if (!request.index && request.mode == SampleMode::reconstruct)
    index.end = std::min(count, first_impression);
  if (index.end < 0) index.end = count;
  if (index.begin >= index.end || index.end > count)
    fail(ErrorKind::usage, "--index",
         "'" + to_text(index) + "' is not inside the " + std::to_string(count) + " rows of " +
             request.dataset());
  rows.begin = all.begin + index.begin;
  rows.end = all.begin + index.end;
  return rows;
}

}  // namespace logpx
