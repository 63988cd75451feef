#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "Scheduler.h"

// MARK: What threads wait for

static sem_t has_printed;

static const char *wait_of(const managed *thread) {
  switch (thread->state) {
    case wants_mutex: return "waits for a lock";
    case waits_for_condition: return "waits for a signal";
    case joins: return "waits for the end of a thread";
    case sleeps: return "sleeps";
    case has_no_job: return "has no job";
    default: return "could go on";
  }
}

typedef char *(*demangler)(const char *, size_t, char *, size_t *, uint32_t);

static void print_call(void *address) {
  static demangler demangle;
  if (!demangle) demangle = (demangler)dlsym(RTLD_DEFAULT, "swift_demangle");
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_sname) return;
  char *name = demangle ? demangle(info.dli_sname, strlen(info.dli_sname), NULL, NULL, 0) : NULL;
  printf("    %s\n", name ? name : info.dli_sname);
  free(name);
}

static void print_self(int signal) {
  (void)signal;
  void *calls[64];
  int count = backtrace(calls, 64);
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  printf("  thread %d (%s) %s\n", self ? self->id : -1, name, self ? wait_of(self) : "");
  for (int i = 0; i < count; i++) print_call(calls[i]);
  fflush(stdout);
  sem_post(&has_printed);
}

void cinterleaving_print_waits(void) {
  sem_init(&has_printed, 0, 0);
  struct sigaction action = {.sa_handler = print_self, .sa_flags = SA_RESTART};
  sigaction(SIGUSR2, &action, NULL);
  managed *thread;
  for (int id = 0; (thread = sched_thread(id)); id++) {
    if (thread->state == has_ended || thread->state == has_no_job) continue;
    pthread_kill(thread->handle, SIGUSR2);
    while (sem_wait(&has_printed) != 0) {}
  }
}

// MARK: Crashes

static void (*report_crash)(void);

static void crashed(int signal) {
  // A report may wait for a lock of the crashed code.
  alarm(10);
  self = NULL;
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(signal, &action, NULL);
  report_crash();
  _exit(1);
}

void cinterleaving_on_crash(void (*report)(void)) {
  report_crash = report;
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_NODEFER};
  int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &action, NULL);
}

// MARK: The same addresses and hashes

void cinterleaving_make_repeatable(char *const arguments[]) {
  const char *variable = "SWIFT_DETERMINISTIC_HASHING";
  if (getenv(variable)) return;
  setenv(variable, "1", 1);
  // A container may forbid it. Then addresses differ, but runs are still equal in most programs.
  personality(ADDR_NO_RANDOMIZE);
  execv("/proc/self/exe", arguments);
}
