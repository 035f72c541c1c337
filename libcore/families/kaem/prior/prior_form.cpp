#include "libcore/families/kaem/prior/prior_form.hpp"

namespace logpx::kaem {

std::string component_name(Component c) {
  return "component (" + std::to_string(c.q) + "," + std::to_string(c.p) + ")";
}

PriorForm::PriorForm(PriorKind of, std::int64_t p, std::int64_t q) : kind(of), n_p(p), n_q(q) {
  const bool mixture = kind == PriorKind::mixture;
  energies.features = mixture ? n_q : n_p;
  energies.curves_each = mixture ? n_p : n_q;
  energies.owner = mixture ? BaseOwner::curve : BaseOwner::feature;
  energies.name = [mixture](std::int64_t feature, std::int64_t curve) {
    const Component c = mixture ? Component{feature, curve} : Component{curve, feature};
    return "the prior's " + component_name(c);
  };
}

}  // namespace logpx::kaem
