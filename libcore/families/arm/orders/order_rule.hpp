// Which dim comes next: p(z_i = k|x_S) and q(z_i = k|z_<i, x) over the dims that are left, orders
// drawn by either, and F of one state.   [LO-ARM eqs. 5, 8, 14; arm/README 2 and 3]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::arm {

// One state of one row, by dim; `policy` is empty where the network has no such logits.
struct StateView {
  std::span<const std::int32_t> x;
  std::span<const std::uint8_t> seen;
  std::span<const double> values, policy;

  [[nodiscard]] bool is_left(std::size_t dim) const { return seen[dim] == 0 && x[dim] >= 0; }
  [[nodiscard]] std::span<const double> values_of(std::size_t dim) const {
    const std::size_t levels = values.size() / x.size();
    return values.subspan(dim * levels, levels);
  }
};

// grouped: uniform over the lowest group that is left; without groups, over all that is left.
enum class RuleKind { grouped, network, entropy };

struct OrderRule {
  RuleKind kind = RuleKind::grouped;
  std::span<const std::int64_t> groups = {};  // of each dim
  double beta = 0;                            // for `entropy`: how much it prefers confident dims

  [[nodiscard]] bool learned() const { return kind != RuleKind::grouped; }
  [[nodiscard]] bool is_fixed() const;  // there is one order alone
  // Logits of the policy, by dim; those of dims that are not left have no meaning.
  void logits(const StateView& state, std::span<double> to) const;
  // log p(z_i = k|x_S): -inf for dims that are not left.
  void log_policy(const StateView& state, std::span<double> log_p) const;
  // Dims of x that may come next.
  void candidates(const StateView& state, std::span<std::uint8_t> may) const;
};

// log softmax over the dims of `may`; -inf elsewhere.
void log_choice(std::span<const double> logits, std::span<const std::uint8_t> may,
                std::span<double> log_p);
// log softmax(logits) at one value.
[[nodiscard]] double log_value(std::span<const double> logits, std::int32_t value);
[[nodiscard]] double entropy_of(std::span<const double> logits);

// Dims of x by falling score, ties in their order; those that do not exist are left out.
[[nodiscard]] std::vector<std::int32_t> order_by(std::span<const double> scores,
                                                 std::span<const std::int32_t> x);
// An order from Plackett-Luce, by g + gumbel(uniforms); and one by group, random inside each.
[[nodiscard]] std::vector<std::int32_t> drawn_order(std::span<const double> g,
                                                    std::span<const double> uniforms,
                                                    std::span<const std::int32_t> x);
[[nodiscard]] std::vector<std::int32_t> drawn_order(std::span<const std::int64_t> groups,
                                                    std::span<const double> uniforms,
                                                    std::span<const std::int32_t> x);

// E_q log p(x_k|x_S) and KL(q || p): F(S, x) is their difference.
struct StepTerms {
  double recon = 0, kl = 0;
  [[nodiscard]] double value() const { return recon - kl; }
};
// log_x [k] = log p(x_k|x_S); all three by dim, log_p and log_q -inf where a dim is not left.
[[nodiscard]] StepTerms step_terms(std::span<const double> log_p, std::span<const double> log_q,
                                   std::span<const double> log_x);

}  // namespace logpx::arm
