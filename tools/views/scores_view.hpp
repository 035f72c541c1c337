// Scores of elbo-eval --per-example as a table on stdout.
#pragma once

#include "formats/dataset_file.hpp"
#include "formats/scores_file.hpp"
#include "tools/frame/app.hpp"

namespace logpx {

struct ScoresChoice {
  DatasetName name;
  RowChoice rows = {};  // none: the first 100
};

// Options of pictures are usage errors here.
void show_scores(App& app, const ScoresFile& scores, const ScoresChoice& choice);

}  // namespace logpx
