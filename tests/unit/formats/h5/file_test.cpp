#include "formats/h5/file.hpp"

#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "formats/h5/column.hpp"
#include "formats/h5/tensors.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace logpx::file_test {

using logpx::testing::ScratchFolder;

namespace {

void write_numbers(OutputFile& out, std::size_t count) {
  const std::vector<double> numbers(count, 0.1);
  h5::File file = h5::File::create(out);
  h5::write(file, "/numbers", h5::Value::of<double>(numbers, {static_cast<std::int64_t>(count)}));
  file.close();
}

std::string write_small_file(const std::string& path) {
  OutputFile out(path, Overwrite::replace);
  write_numbers(out, 100);
  out.commit();
  return path;
}

h5::File open_file(const std::string& path) {
  SeekableInput input(path);
  return h5::File::open(input);
}

Error error_of(const std::string& path) {
  try {
    (void)open_file(path);
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::usage, "", "no error"};
}

// Exit status of `action` in a process whose files may not exceed `limit` bytes: 7 on an I/O error.
int run_with_file_limit(rlim_t limit, const std::function<void()>& action) {
  std::fflush(nullptr);  // else the child writes out what waits in our buffers
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit most{limit, limit};
    int status = 0;
    try {
      if (setrlimit(RLIMIT_FSIZE, &most) != 0) std::_Exit(9);
      action();
    } catch (const Error& error) {
      status = error.kind() == ErrorKind::io ? 7 : 8;
    }
    std::exit(status);  // through the handlers of exit: HDF5's must do no harm there
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

TEST_CASE("h5: a file of another format is named, with the tool that reads it") {
  const ScratchFolder folder;
  const std::string path = folder / "x";
  const auto error_for = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return error_of(path);
  };
  CHECK(error_for("\x1f\x8b\x08 and so on").message() == "is a gzip file, not an HDF5 file");
  CHECK(error_for("\x89PNG\r\n\x1a\n").hint() == "pack-data images " + path + " -o x.h5");
  CHECK(error_for("hello, world, this is text").message() == "is text, not an HDF5 file");
  CHECK(error_for("\x01\x02\x03\x04").message() == "is not an HDF5 file");
  CHECK(error_for("").message() == "is empty, expected an HDF5 file");
  CHECK(error_for("hello").kind() == ErrorKind::data);
  CHECK(error_of(folder / "absent").kind() == ErrorKind::io);
}

TEST_CASE("h5: a truncated file is an error that says both ends") {
  const ScratchFolder folder;
  const std::string path = write_small_file(folder / "a.h5");
  const auto whole = std::filesystem::file_size(path);
  for (std::uintmax_t size = whole; size-- > 0;) {
    std::filesystem::resize_file(path, size);
    const Error error = error_of(path);
    CAPTURE(size);
    CHECK(error.kind() == ErrorKind::data);
    if (size >= 200)
      CHECK(error.message() == "truncated file: eof = " + std::to_string(size) +
                                   ", stored_eof = " + std::to_string(whole));
  }
}

TEST_CASE("h5: equal content gives equal bytes, at any time") {
  const ScratchFolder folder;
  write_small_file(folder / "a.h5");
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // times are stored in seconds
  write_small_file(folder / "b.h5");
  const auto bytes = [](const std::string& path) { return read_text_file(path); };
  CHECK(bytes(folder / "a.h5") == bytes(folder / "b.h5"));
}

TEST_CASE("h5: a lock held elsewhere does not matter") {
  const ScratchFolder folder;
  const std::string path = write_small_file(folder / "a.h5");
  const int other = open(path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(flock(other, LOCK_EX) == 0);
  CHECK_NOTHROW((void)open_file(path));
  close(other);
}

TEST_CASE("h5: a full disk is an I/O error wherever it strikes, and the program ends well") {
  const ScratchFolder folder;
  const auto contiguous = [&] {
    OutputFile out(folder / "a.h5", Overwrite::replace);
    write_numbers(out, 20000);
  };
  const auto chunked = [&] {
    OutputFile out(folder / "b.h5", Overwrite::replace);
    h5::File file = h5::File::create(out);
    h5::Column column(file, "/x", {.type = h5::ValueType::u8, .row_shape = {}, .chunk_bytes = 50});
    std::vector<std::byte> rows(20000);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::byte>(i * i % 251);
    column.append(rows);
    column.finish();
    file.close();
  };
  for (const rlim_t limit : {0, 1, 90, 100, 800, 2048, 5000, 10000}) {
    CAPTURE(limit);
    CHECK(run_with_file_limit(limit, contiguous) == 7);
    CHECK(run_with_file_limit(limit, chunked) == 7);
  }
  CHECK(run_with_file_limit(1 << 20, contiguous) == 0);
  CHECK(run_with_file_limit(1 << 20, chunked) == 0);
  CHECK(std::filesystem::is_empty(std::filesystem::path(folder / "x").parent_path()));
}

TEST_CASE("h5: a file put in the temporary's place before HDF5 opens it is not taken for it") {
  const ScratchFolder folder;
  OutputFile out(folder / "a.h5", Overwrite::refuse);
  std::filesystem::rename(out.path(), folder / "moved");
  CHECK_THROWS_AS(h5::File::create(out), Error);
  CHECK_FALSE(std::filesystem::exists(folder / "a.h5"));
}

TEST_CASE("h5: errors are not printed, on no thread") {
  const ScratchFolder folder;
  const std::string path = write_small_file(folder / "a.h5");
  const h5::File file = open_file(path);
  std::FILE* capture = std::tmpfile();
  std::fflush(stderr);
  const int saved = dup(STDERR_FILENO);
  dup2(fileno(capture), STDERR_FILENO);
  bool thrown = false;
  std::thread([&] {
    try {
      (void)h5::read(file, "/absent");
    } catch (const Error&) {
      thrown = true;
    }
  }).join();
  dup2(saved, STDERR_FILENO);
  close(saved);
  CHECK(thrown);
  CHECK(lseek(fileno(capture), 0, SEEK_END) == 0);
  std::fclose(capture);
}

}  // namespace logpx::file_test
