#include "CLinux.h"

#ifdef __linux__
#include <sys/prctl.h>

int clinux_set_timer_slack(unsigned long nanoseconds) {
  return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}

int clinux_die_with_parent(int signal) {
  return prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0, 0, 0);
}
#else
int clinux_set_timer_slack(unsigned long nanoseconds) { (void)nanoseconds; return -1; }
int clinux_die_with_parent(int signal) { (void)signal; return -1; }
#endif
