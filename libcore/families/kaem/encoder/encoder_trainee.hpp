// Fitting an encoder to a trained KAEM (fit-prior --encoder-for): the result is that model with the
// encoder.   [kaem/README 11.2]
#pragma once

#include "libcore/families/family.hpp"
#include "libcore/families/kaem/presets.hpp"

namespace logpx {
class Fields;
}

namespace logpx::kaem {

inline constexpr const char* encoder_leaves_the_rest =
    "does nothing with --encoder-for, which leaves prior and generator as they are";

// The settings become those of the model, with an encoder, whatever a preset says of the model. A
// data error for a model of another family, or one that has an encoder; a usage error where `given`
// holds options that the model has decided, or comes from a settings file that says otherwise.
void adopt_model(Settings& settings, Model& model, const Fields& given);

// Copies the tensors of the model, which the settings have adopted. Refers to the data.
[[nodiscard]] Trainee make_encoder_trainee(const Settings& settings, Model& model,
                                           const TaskData& data, Rng rng);

}  // namespace logpx::kaem
