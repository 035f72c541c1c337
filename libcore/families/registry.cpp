#include "libcore/families/registry.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/arm/family.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/pc/family.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/families/vdm/family.hpp"
#include "libcore/model/latent_sampling.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

std::vector<Family>& list() {
  static std::vector<Family> all = {vae::family(), kaem::family(), vdm::family(), pc::family(),
                                    arm::family()};
  return all;
}

std::vector<Family>::const_iterator entry_of(const std::string& name) {
  return std::find_if(list().begin(), list().end(),
                      [&](const Family& family) { return family.name == name; });
}

}  // namespace

const std::vector<Family>& families() { return list(); }

const Family& find_family(const std::string& name) {
  if (const auto found = entry_of(name); found != list().end()) return *found;
  std::vector<std::string> known;
  for (const Family& family : list()) known.push_back(family.name);
  fail(ErrorKind::data, "family " + name,
       "is not known here; there are: " + (known.empty() ? "none" : join_text(known, ", ")));
}

Abilities abilities(const Model& model) {
  const Family& family = find_family(model.info().family);
  const auto made_by = [&]<typename Made>(const Making<Made>& make) {
    return make ? make(model) : nullptr;
  };
  Abilities can{.model = &model};
  for (const WayOfScoring& way : family.score)
    if (!way.serves || way.serves(model))
      can.score.push_back({way.word, [&model, make = way.make] { return make(model); }});
  if (family.sample) can.sample = [&model, make = family.sample] { return make(model); };
  can.code = made_by(family.code);
  can.queries = made_by(family.queries);
  can.latents = made_by(family.latents);
  can.codes = made_by(family.codes);
  can.gradients = made_by(family.gradients);
  can.prior = made_by(family.prior);
  if (!can.codes && can.latents) can.codes = codes_by(can.latents);
  if (!can.sample && can.latents)
    can.sample = [&model, latents = can.latents] {
      return std::make_unique<LatentSampling>(model, latents);
    };
  return can;
}

AbleModel with_abilities(std::unique_ptr<Model> model) {
  Abilities can = abilities(*model);
  return {std::move(model), std::move(can)};
}

std::string families_where(const std::function<bool(const Family&)>& holds) {
  std::vector<std::string> names;
  for (const Family& family : list())
    if (holds(family)) names.push_back(family.name);
  return join_text(names, ", ");
}

void register_family(Family family) {
  LOGPX_ASSERT(entry_of(family.name) == list().end());
  list().push_back(std::move(family));
}

}  // namespace logpx
