#include "CLinux.h"

// A client request is a sequence of instructions that changes nothing on a processor, but that
// valgrind recognises. The sequences and numbers are part of its interface: the public headers
// valgrind.h (amd64-linux, arm64-linux) and callgrind.h, https://sourceware.org/git/valgrind.git.

enum {
  callgrind = 'C' << 24 | 'T' << 16,
  toggle_collect = callgrind + 2,
  start_instrumentation = callgrind + 4,
  stop_instrumentation = callgrind + 5,
};

static inline __attribute__((always_inline)) void request(unsigned long long code) {
#if defined(__linux__) && defined(__x86_64__)
  volatile unsigned long long arguments[6] = {code};
  volatile unsigned long long *first = arguments;
  unsigned long long result = 0;
  __asm__ volatile(
      "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
      : "+d"(result)
      : "a"(first)
      : "cc", "memory");
#elif defined(__linux__) && defined(__aarch64__)
  volatile unsigned long long arguments[6] = {code};
  volatile unsigned long long *first = arguments;
  __asm__ volatile(
      "mov x3, xzr; mov x4, %0; ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51;"
      "ror x12, x12, #61; orr x10, x10, x10"
      :
      : "r"(first)
      : "cc", "memory", "x3", "x4");
#else
  (void)code;
#endif
}

void clinux_start_instrumentation(void) { request(start_instrumentation); }
void clinux_stop_instrumentation(void) { request(stop_instrumentation); }
__attribute__((noinline)) void clinux_toggle_main_count(void) { request(toggle_collect); }
__attribute__((noinline)) void clinux_toggle_worker_count(void) { request(toggle_collect); }
