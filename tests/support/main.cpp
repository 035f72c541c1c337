// The test runner. doctest ends with success when a filter matches nothing; here that is a failure.
// What each case takes is written to the file that LOGPX_TEST_TIMES names: "SECONDS NAME".
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace {

struct RunFacts : doctest::IReporter {
  static inline unsigned cases_run = 0;
  explicit RunFacts(const doctest::ContextOptions&) {
    if (const char* const path = std::getenv("LOGPX_TEST_TIMES")) times_.open(path, std::ios::app);
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    cases_run = stats.numTestCasesPassingFilters;
  }
  void test_case_start(const doctest::TestCaseData& data) override { name_ = data.m_name; }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    if (times_.is_open()) times_ << stats.seconds << ' ' << name_ << '\n';
  }
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  std::ofstream times_;
  const char* name_ = "";
};
REGISTER_LISTENER("run_facts", 1, RunFacts);

}  // namespace

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  const int status = context.run();
  if (context.shouldExit()) return status;
  if (RunFacts::cases_run == 0) {
    std::fprintf(stderr, "logpx-tests: error: the filter matches no test case\n");
    return 2;
  }
  return status;
}
