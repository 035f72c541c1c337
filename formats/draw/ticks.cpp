#include "formats/draw/ticks.hpp"

#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace logpx::draw {

namespace {

struct Prefix {
  double factor;
  const char* letter;
};
constexpr std::array<Prefix, 5> prefixes = {
    {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
constexpr double largest_plain = 1e16, smallest_plain = 1e-6;  // beyond: 2e+20, 5e-09

// "12k" rather than "12000", but "1234" as it is: at most two decimals are worth a prefix.
Prefix prefix_for(double largest, double step) {
  for (const Prefix& prefix : prefixes) {
    const bool shorter = largest >= 10 * prefix.factor || step >= prefix.factor;
    if (largest >= prefix.factor && shorter && step >= prefix.factor / 100) return prefix;
  }
  return prefixes.back();
}

std::string digits_of(double value, std::chars_format format, int precision) {
  std::array<char, 64> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, format, precision);
  return {digits.data(), end.ptr};
}

// The fewest digits that tell neighbours apart.
std::string tick_text(double at, double step, double largest) {
  if (at == 0) return "0";
  if (largest >= largest_plain || step < smallest_plain)
    return digits_of(at, std::chars_format::general,
                     1 + std::clamp(static_cast<int>(std::log10(largest / step) + 0.5), 0, 15));
  const Prefix prefix = prefix_for(largest, step);
  const int decimals =
      std::max(0, static_cast<int>(std::ceil(-std::log10(step / prefix.factor) - 1e-9)));
  return digits_of(at / prefix.factor, std::chars_format::fixed, decimals) + prefix.letter;
}

// On a log axis each number is written by its own size: 0.1, 1, 200, 1k, 50k.
std::string log_text(double at) {
  if (at < largest_plain)
    for (const Prefix& prefix : prefixes)
      if (at >= prefix.factor * (1 - 1e-9)) return four_digits(at / prefix.factor) + prefix.letter;
  return four_digits(at);
}

// How far along the axis, from 0 to 1.
double place_on(const Axis& axis, const TickedAxis& on, double value) {
  if (axis.scale == AxisScale::linear) return (value - on.low) / (on.high - on.low);
  return std::log(value / on.low) / std::log(on.high / on.low);
}

bool fits(const Axis& axis, const TickedAxis& plan, const TickRoom& room) {
  std::size_t letters = 0;
  double nearest = room.pixels, last = 0;
  bool first = true;
  for (const Tick& tick : plan.ticks) {
    if (tick.text.empty()) continue;
    letters = std::max(letters, tick.text.size());
    const double at = place_on(axis, plan, tick.at) * room.pixels;
    if (!first) nearest = std::min(nearest, at - last);
    first = false;
    last = at;
  }
  return nearest >= room.needs(static_cast<int>(letters));
}

TickedAxis with_ends(const Axis& axis, double low, double high) {
  return {.low = axis.low.value_or(low), .high = axis.high.value_or(high)};
}

TickedAxis stepped(const Axis& axis, double low, double high, double step) {
  double bottom = std::floor(low / step + 1e-9) * step;
  if (axis.scale == AxisScale::log && bottom <= 0) bottom = low;
  TickedAxis plan = with_ends(axis, bottom, std::ceil(high / step - 1e-9) * step);
  const double largest = std::max(std::abs(plan.low), std::abs(plan.high));
  const double slack = 1e-9 * step;
  for (double k = std::ceil((plan.low - slack) / step); k * step <= plan.high + slack; ++k)
    plan.ticks.push_back({k * step, tick_text(k == 0 ? 0.0 : k * step, step, largest)});
  return plan;
}

// Ticks at these multiples of every `decades`-th power of ten.
struct PowerPlan {
  int decades;
  std::vector<int> multiples;
};

TickedAxis powers(const Axis& axis, double low, double high, const PowerPlan& wanted) {
  std::vector<Tick> marks;
  const int first = static_cast<int>(std::floor(std::log10(low))) - wanted.decades;
  const int last = static_cast<int>(std::ceil(std::log10(high))) + wanted.decades;
  for (int power = first; power <= last; ++power) {
    if (power % wanted.decades != 0) continue;
    for (const int multiple : wanted.multiples) {
      const double at = multiple * std::pow(10.0, power);
      marks.push_back({at, log_text(at)});
    }
  }
  const auto below = [](double value, const Tick& mark) { return value < mark.at; };
  const auto bottom = std::upper_bound(marks.begin(), marks.end(), low * (1 + 1e-9), below) - 1;
  const auto top = std::upper_bound(marks.begin(), marks.end(), high * (1 - 1e-9), below);
  TickedAxis plan = with_ends(axis, bottom->at, top->at);
  for (const Tick& mark : marks)
    if (mark.at >= plan.low * (1 - 1e-9) && mark.at <= plan.high * (1 + 1e-9))
      plan.ticks.push_back(mark);
  return plan;
}

// Short ticks at 2 to 9 times each power of ten that has none.
void add_short_ticks(TickedAxis& plan) {
  const std::vector<Tick> named = plan.ticks;
  for (double power = std::pow(10.0, std::floor(std::log10(plan.low))); power <= plan.high;
       power *= 10)
    for (int multiple = 2; multiple < 10; ++multiple) {
      const double at = multiple * power;
      const bool taken = std::any_of(named.begin(), named.end(), [&](const Tick& tick) {
        return std::abs(tick.at / at - 1) < 1e-9;
      });
      if (!taken && at >= plan.low && at <= plan.high) plan.ticks.push_back({at});
    }
}

TickedAxis ticked_linear(const Axis& axis, double low, double high, const TickRoom& room) {
  // Steps grow from too fine ones; at three ticks there are never fewer.
  for (double step = round_step((high - low) / 20);; step = round_step(step * 2.2)) {
    TickedAxis plan = stepped(axis, low, high, step);
    if (plan.ticks.size() <= 3 || fits(axis, plan, room)) return plan;
  }
}

TickedAxis ticked_log(const Axis& axis, double low, double high, const TickRoom& room) {
  if (high < 5 * low) return ticked_linear(axis, low, high, room);  // powers of ten say too little
  for (const PowerPlan& wanted : std::initializer_list<PowerPlan>{{1, {1, 2, 5}}, {1, {1}}}) {
    TickedAxis plan = powers(axis, low, high, wanted);
    if (!fits(axis, plan, room)) continue;
    add_short_ticks(plan);
    return plan;
  }
  for (int decades = 2;; ++decades) {
    TickedAxis plan = powers(axis, low, high, {decades, {1}});
    if (plan.ticks.size() <= 3 || fits(axis, plan, room)) return plan;
  }
}

}  // namespace

double round_step(double wanted) {
  const double power = std::pow(10.0, std::floor(std::log10(wanted)));
  double best = power;
  for (const double factor : {2.0, 5.0, 10.0})
    if (std::abs(std::log(factor * power / wanted)) < std::abs(std::log(best / wanted)))
      best = factor * power;
  return best;
}

TickedAxis ticked(const Axis& axis, double low, double high, const TickRoom& room) {
  low = axis.low.value_or(low);
  high = axis.high.value_or(high);
  const bool alone = !(high - low > 1e-10 * std::max(std::abs(low), std::abs(high)));
  if (axis.scale == AxisScale::log) return ticked_log(axis, low, alone ? 10 * low : high, room);
  if (!alone) return ticked_linear(axis, low, high, room);
  const double width = low == 0 ? 1 : std::abs(low) / 10;  // a single value is in the middle
  return ticked_linear(axis, low - width, low + width, room);
}

}  // namespace logpx::draw
