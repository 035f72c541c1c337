// Judges sets of molecules: how many are valid, unique and new, what they are like, how alike they
// are, and how like those of a test set.   [LO-ARM section 6.2; eval/README 10.4]
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/molecule_session.hpp"

using namespace logpx;

namespace {

const ToolSpec spec = {
    .name = "mol-metrics",
    .purpose = "judge molecules: valid, unique, new, drug-like, like a test set",
    .usage = {"MOLECULES... [--train FILE] [--test FILE] [options]",
              "TEST --make-reference -o REFERENCE.h5"},
    .examples = {{"mol-metrics s.smi", "validity, uniqueness, QED, SA, diversity"},
                 {"mol-metrics s.smi --train t.smi --test test.smi",
                  "and which are new, and how like the test set"},
                 {"mol-metrics a.smi b.smi --test test.smi", "two models side by side"},
                 {"mol-metrics test.smi --make-reference -o ref.h5",
                  "a test set worked through once, for --test ref.h5"},
                 {"mol-metrics s.smi --per-molecule all.csv", "numbers of each molecule"}},
    .kind = ToolKind::answer,
    .compute_facts = compute_facts};

void run(App& app, MoleculeOptions& o) {
  o.check();
  MoleculeSession session(app, o);
  if (app.dry_run()) return session.say_plan();
  session.run();
}

}  // namespace

int main(int argc, char** argv) { return run_tool<MoleculeOptions>(argc, argv, spec, run); }
