#include "formats/archive/run_parts.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::archive {

std::uint64_t file_bytes(const RunPart& part) {
  return part.member.size.value_or(part.plan.header_bytes + part.content);
}

namespace {

// What the steps of a recipe put, from the layers on that are open.
void plan_recipe(RunPlan& plan, std::size_t at, RunPart& part) {
  part.layers_after = part.layers;
  for (const RecipeStep& step : part.recipe->steps) {
    part.layers_after.follow(step);
    plan.add(at, step, part.layers_after.streams());
  }
  if (!part.goes_on && part.layers_after.height() > 0)
    fail(ErrorKind::data, "recipe", "ends within a layer");
}

void plan_walk(RunPlan& plan, std::size_t at, RunPart& part) {
  if (part.layers.height() > 0) fail(ErrorKind::data, "recipe", "ends within a layer");
  ContentWalk walk = part.walk;
  for (std::uint64_t left = part.left; left > 0;) {
    const ContentWalk::Step step = walk.next(left);
    plan.add(at, part.plan, step);
    left -= step.content;
  }
}

// Decisions come last, each with the first member that needs them.
void plan_run(OpenedRun& opened, const std::vector<Stretch>& stretches) {
  const bool carries = opened.carries;
  for (std::size_t i = 0; i < opened.parts.size(); ++i) try {
      (opened.parts[i].recipe ? plan_recipe : plan_walk)(opened.plan, i, opened.parts[i]);
    } catch (const Error& error) {
      throw error.within("member " + std::to_string(opened.parts[i].number));
    }
  const auto has_recipe = [](const RunPart& part) { return part.recipe.has_value(); };
  const auto first =
      std::find_if(opened.parts.begin() + (carries ? 1 : 0), opened.parts.end(), has_recipe);
  if (carries) opened.plan.add_decisions(0, opened.carried_decisions);
  if (first != opened.parts.end())
    opened.plan.add_decisions(static_cast<std::size_t>(first - opened.parts.begin()),
                              opened.decisions);
  opened.plan.close(stretches);
}

}  // namespace

OpenedRun open_run(Run run, const CodingUnits& units, std::optional<RunPart> open,
                   std::uint64_t members_before) {
  if (run.first != members_before || run.carried.has_value() != open.has_value())
    fail(ErrorKind::data, "table of members", "does not follow the one before");
  OpenedRun opened{.parts = {},
                   .plan = RunPlan(units),
                   .carries = run.carried.has_value(),
                   .carried_decisions = run.carried_decisions,
                   .decisions = run.decisions};
  if (open) {
    open->left = *run.carried;
    open->content += run.carried_recipe ? run.carried_recipe->file_bytes : *run.carried;
    open->goes_on = false;
    open->recipe = std::move(run.carried_recipe);
    open->layers = open->layers_after;
    open->step = 0;
    opened.parts.push_back(std::move(*open));
  }
  for (Run::Entry& entry : run.entries) {
    const std::uint64_t number = ++members_before;
    try {
      const MemberPlan plan = plan_member(entry.member, units);
      opened.parts.push_back({.member = std::move(entry.member),
                              .number = number,
                              .plan = plan,
                              .walk = ContentWalk(plan),
                              .left = entry.content,
                              .content = entry.recipe ? entry.recipe->file_bytes : entry.content,
                              .recipe = std::move(entry.recipe)});
    } catch (const Error& error) {
      throw error.within("member " + std::to_string(number));
    }
  }
  if (run.goes_on) opened.parts.back().goes_on = true;
  plan_run(opened, run.stretches);
  return opened;
}

}  // namespace logpx::archive
