#include "libcore/families/kaem/encoder/encoder_trainee.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/kaem/encoder/encoder_task.hpp"

#include <algorithm>
#include <map>

namespace logpx::kaem {
namespace {

constexpr std::int64_t usual_hidden = 500;

KaemModel& kaem_of(Model& model) {
  if (auto* const kaem = dynamic_cast<KaemModel*>(&model)) return *kaem;
  fail(ErrorKind::data, "",
       "is a model of family " + model.info().family + ", expected one of family kaem");
}

// Values of all tensors that both have.
void copy_tensors(KaemModel& from, KaemModel& to) {
  std::map<std::string, TensorRef> known;
  from.params([&](const TensorRef& tensor, TensorRole) { known.emplace(tensor.name, tensor); });
  to.params([&](const TensorRef& tensor, TensorRole) {
    const auto found = known.find(tensor.name);
    if (found == known.end()) return;
    LOGPX_ASSERT(found->second.bytes.size() == tensor.bytes.size());
    std::ranges::copy(found->second.bytes, tensor.bytes.begin());
  });
}

}  // namespace

void adopt_model(Settings& settings, Model& model, const Fields& given) {
  const KaemModel& kaem = kaem_of(model);
  if (kaem.has_encoder())
    fail(ErrorKind::data, "", "has an encoder already, and one is fitted to a model without");
  Fields decided;
  settings.model.describe(decided);
  settings.fit.describe(decided);
  for (const Field& field : decided.all()) {
    const Field* const option = given.find_option(field.option());
    if (field.name() == "encoder-hidden" || option == nullptr || !option->given()) continue;
    fail(ErrorKind::usage, field.option(),
         "does nothing with --encoder-for, which leaves prior and generator as they are");
  }
  const std::int64_t hidden = settings.model.encoder_hidden.value_or(usual_hidden);
  settings.model = kaem.config();
  settings.model.encoder_hidden = hidden;
  settings.fit = {};
}

Trainee make_encoder_trainee(const Settings& settings, Model& given, const TaskData& data,
                             Rng rng) {
  KaemModel& frozen = kaem_of(given);
  auto model = std::make_unique<KaemModel>(settings.model, frozen.info().data);
  if (frozen.prior_constants().formula.size() > 0) model->prior_constants().add_formulas();
  model->initialise(rng);
  copy_tensors(frozen, *model);
  model->filled();
  auto task = std::make_unique<EncoderTask>(*model, data);
  return {std::move(model), std::move(task), settings.training};
}

}  // namespace logpx::kaem
