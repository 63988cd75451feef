#include "CLinux.h"

#ifdef __linux__
#include <malloc.h>
#include <sys/prctl.h>

int clinux_set_timer_slack(unsigned long nanoseconds) {
  return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}

int clinux_die_with_parent(int signal) {
  return prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0, 0, 0);
}

long long clinux_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (long long)info.uordblks + (long long)info.hblkhd;
}
#else
int clinux_set_timer_slack(unsigned long nanoseconds) { (void)nanoseconds; return -1; }
int clinux_die_with_parent(int signal) { (void)signal; return -1; }
long long clinux_allocated_bytes(void) { return -1; }
#endif
