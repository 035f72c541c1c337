// watch-crashes LOG COMMAND...: runs a command, exits as it does, and writes a line to LOG for each
// program below it that a crash ended, wherever in a script that was: in a pipe, in the background
// or where the script expects a failure. Signals that tests send on purpose are no crash.
//
// It traces, so that programs keep their process ids, masks and parents.   ptrace(2)
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr std::array crashes{SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGKILL};

bool is_crash(int signal) {
  for (const int crash : crashes)
    if (signal == crash) return true;
  return false;
}

// The words of a program that runs, with spaces between them.
std::string command_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(file), {}};
  if (!words.empty()) words.pop_back();
  for (char& byte : words)
    if (byte == '\0' || byte == '\n') byte = ' ';
  return words;
}

class Watch {
 public:
  Watch(pid_t first, const char* log) : first_(first), log_(log, std::ios::app) {}

  // Until the first program ends; what it left behind goes on unwatched. Its wait status.
  int run() {
    while (true) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, __WALL);
      if (pid < 0 && errno == EINTR) continue;
      if (pid < 0) return 0;
      if (WIFSTOPPED(status)) go_on(pid, status);
      else note_end(pid, status);
      if (pid == first_ && !WIFSTOPPED(status)) return status;
    }
  }

 private:
  void go_on(pid_t pid, int status) {
    const int event = status >> 16, signal = WSTOPSIG(status);
    if (event == PTRACE_EVENT_EXEC) commands_[pid] = command_of(pid);
    // A stop by SIGSTOP and the like stays one; any other event is no signal that it should see.
    if (event == PTRACE_EVENT_STOP && signal != SIGTRAP)
      ptrace(PTRACE_LISTEN, pid, nullptr, nullptr);
    else ptrace(PTRACE_CONT, pid, nullptr, static_cast<long>(event == 0 ? signal : 0));
  }

  void note_end(pid_t pid, int status) {
    const auto found = commands_.find(pid);
    if (found == commands_.end()) return;
    if (WIFSIGNALED(status) && is_crash(WTERMSIG(status)))
      log_ << "SIG" << sigabbrev_np(WTERMSIG(status)) << " ended " << found->second << '\n'
           << std::flush;
    commands_.erase(found);
  }

  pid_t first_;
  std::ofstream log_;
  std::map<pid_t, std::string> commands_;  // since they became another program
};

int watched(char** argv) {
  const pid_t child = fork();
  if (child < 0) return std::perror("watch-crashes: fork"), 1;
  if (child == 0) {
    raise(SIGSTOP);  // until it is watched
    execvp(argv[2], argv + 2);
    std::perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, WUNTRACED);
  const long options =
      PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
  if (ptrace(PTRACE_SEIZE, child, nullptr, options) != 0)
    std::fprintf(stderr, "watch-crashes: cannot trace: %s\n", std::strerror(errno));
  kill(child, SIGCONT);
  status = Watch(child, argv[1]).run();
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: watch-crashes LOG COMMAND...\n", stderr), 2;
  return watched(argv);
}
