// OpenBLAS allocates 128 MiB for each product that is under way, and if that fails it retries for
// ever. Under a memory limit (ulimit -v) a call therefore waits for its turn: only as many run at
// once as have found room before. If not even one does, memory is out.
//
//   const BlasTurn turn(take_buffer);
//   multiply(a, b);   // by OpenBLAS
#pragma once

namespace logpx {

class BlasTurn {
 public:
  // The function makes a call that allocates such a buffer, which OpenBLAS then keeps for later
  // calls; std::bad_alloc if there is no room for one.
  explicit BlasTurn(void (*take_buffer)());
  ~BlasTurn();
  BlasTurn(const BlasTurn&) = delete;
  BlasTurn& operator=(const BlasTurn&) = delete;
};

}  // namespace logpx
