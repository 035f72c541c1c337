#include "libcore/families/arm/training/learn_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/arm/config.hpp"

namespace logpx::arm {
namespace {

constexpr double most_factor = 1000;
constexpr std::int64_t most_paths = 16;

FactorCourse parse_course(const std::string& option, const std::string& text, double last) {
  if (text.empty()) return {.first = last, .last = last};
  const std::size_t colon = text.find(':');
  const auto first = parse_real(text.substr(0, colon));
  const std::int64_t steps =
      colon == std::string::npos ? 0 : parse_integer(text.substr(colon + 1)).value_or(0);
  if (!first || !(*first >= 0 && *first <= most_factor) || steps < 1)
    fail(ErrorKind::usage, option,
         "is '" + text + "', expected FACTOR:STEPS, a factor from 0 to 1000 and its steps");
  return {.first = *first, .last = last, .steps = steps};
}

}  // namespace

void LearnOptions::describe(Fields& f, const Config& model) {
  const Condition lo{[&model] { return model.orders == OrderKind::learned; }, "--model lo"};
  f.group("objective");
  f.add("i-sampling", places,
        {{"low-discrepancy", PlaceDraws::low_discrepancy,
          "spread evenly over the rows of a step, which makes the bound less noisy"},
         {"iid", PlaceDraws::iid, "each on its own"}},
        "how the rows of a step get the place of their order that they learn from")
      .rank(Rank::manual);
  f.add("paths", paths, "orders that each step draws for a row; each is judged by the others")
      .range(2, most_paths)
      .when(lo)
      .rank(Rank::manual);
  f.add("q-entropy", q_entropy, "reward undecided orders: a factor that falls to 0 over steps")
      .metavar("FACTOR:STEPS")
      .when(lo)
      .rank(Rank::manual);
  f.add("kl-weight", kl_weight, "weigh KL(q||p) of the order by a factor that goes to 1 over steps")
      .metavar("FACTOR:STEPS")
      .when(lo)
      .rank(Rank::manual);
  f.add("score-clip", score_clip, "most that orders may differ in nats; 0: no limit")
      .range(0, 1e6)
      .when(lo)
      .rank(Rank::manual);
  f.add("warmup-uniform", warmup_uniform, "train so many steps as ao, before orders are learned")
      .at_least(0)
      .when(lo)
      .rank(Rank::manual);
}

void LearnOptions::validate(const Config& config) const {
  static_cast<void>(entropy_course());
  static_cast<void>(kl_course());
  static_cast<void>(config);
}

FactorCourse LearnOptions::entropy_course() const {
  return parse_course("--q-entropy", q_entropy, 0);
}
FactorCourse LearnOptions::kl_course() const { return parse_course("--kl-weight", kl_weight, 1); }

}  // namespace logpx::arm
