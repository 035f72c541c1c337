// Messages of a training session about the work ahead.
#include "libcore/base/number_text.hpp"
#include "tools/sessions/train_session.hpp"

namespace logpx {
namespace {

std::string bytes_text(std::int64_t bytes) {
  return human_bytes(static_cast<std::uint64_t>(bytes));
}

}  // namespace

void TrainSession::say_plan(TrainingLoop& loop, const TrainingParts& parts) {
  const double seconds = loop.forecast_step();
  if (!ranks_->first()) end_other_rank();
  const MemoryPlan& plan = loop.memory_plan();
  app_.say("parameters " + std::to_string(parts.task.params().elements()));
  app_.say("memory " + bytes_text(plan.total()));
  for (const ModuleMemory& part : plan.parts)
    if (part.bytes > 0) app_.say("  " + part.module + ' ' + bytes_text(part.bytes));
  app_.say("activations of one worker at their peak");
  for (const ModuleMemory& module : plan.modules)
    app_.say("  " + module.module + ' ' + bytes_text(module.bytes));
  const std::optional<RateProbe> probe = loop.rate_probe();
  if (probe)
    app_.say("probes " + std::to_string(probe->rates.size()) + " rates for " +
             std::to_string(probe->steps) + " steps each");
  app_.say("steps " + std::to_string(loop.total_steps()) + " of " + four_digits(1000 * seconds) +
           " ms, " + human_seconds(seconds * static_cast<double>(loop.total_steps())) +
           " in all, " + std::to_string(loop.shards()) + " shards");
  app_.say("would write " + output_);
}

void TrainSession::say_forecast(const TrainingForecast& ahead) {
  const char* at_most = options_.patience > 0 || options_.max_seconds.seconds > 0 ? "at most " : "";
  app_.say(at_most + ("about " + human_seconds(ahead.total_seconds)) + " for " +
           std::to_string(ahead.steps) + " steps of " + four_digits(1000 * ahead.step_seconds) +
           " ms");
}

}  // namespace logpx
