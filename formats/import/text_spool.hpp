// Short texts that wait in a file, to be read again in their order.
//
//   TextSpool spool;
//   spool.put("cat");
//   TextSpool::Reader reader(spool);
//   const std::string_view first = reader.next();   // "cat"
#pragma once

#include "formats/import/spool.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

class TextSpool {
 public:
  TextSpool();
  void put(std::string_view text);
  // Where the next text begins, for Reader::go_to.
  [[nodiscard]] std::uint64_t place() const { return file_.size() + waiting_.size(); }

  class Reader {
   public:
    // After the last put().
    explicit Reader(TextSpool& spool);
    // The next text, until the next call. The caller asks for no more than were put.
    [[nodiscard]] std::string_view next();
    void go_to(std::uint64_t place);

   private:
    void fill(std::size_t least);
    const SpoolFile& file_;
    std::uint64_t read_ = 0;  // of the file
    std::vector<std::byte> buffer_;
    std::size_t used_ = 0;
  };

 private:
  void flush();
  SpoolFile file_;
  std::vector<std::byte> waiting_;
};

}  // namespace logpx
