#include "tools/sessions/trainer_options.hpp"

#include "libcore/base/fields.hpp"
#include "libcore/base/shell_word.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/shared_options.hpp"

namespace logpx {

void TrainerFrame::describe_frame(Fields& f, const std::vector<Choice>& presets) {
  data.describe(f);
  describe_output(f, output, "where to write the model", {{"h5"}}).required();
  f.group("settings");
  f.add_word("preset", preset, presets, "settings by name")
      .metavar("NAME")
      .shows_default(presets.front().word)
      .external();
}

void TrainerFrame::run_session(App& app, const Trainee& trainee,
                               const std::string& data_hash) const {
  TrainSession session(app, trainee.options, files, output);
  session.run(
      {.task = *trainee.task,
       .model = *trainee.model,
       .data_hash = data_hash,
       .given_hash = trainee.given_hash,
       .next = "elbo-eval " + shell_word(output) + ' ' + App::again(data.data, "DATASET.h5"),
       .notes = trainee.notes});
}

}  // namespace logpx
