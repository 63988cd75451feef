// The kernel stops a thread before each call that a filter names, and its tracer then learns of it:
//
//   command ──fork──▶ processes and threads     each one is traced from its start
//      │ openat, write, …
//      ▼
//   seccomp's filter ──▶ PTRACE_EVENT_SECCOMP ──▶ ctracing_next ──▶ ctracing_go_on
#define _GNU_SOURCE
#include "CTracing.h"
#include "Calls.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// MARK: Start

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "name the architecture's calls"
#endif

// Only functions that may follow a fork in a program of several threads.
static int install_filter(const char *const names[]) {
  struct sock_filter filter[128];
  unsigned short size = 0;
#define ADD(...) filter[size++] = (struct sock_filter)__VA_ARGS__
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
  for (; *names && size < 120; names++) {
    int number = number_of_call(*names);
    if (number < 0) continue;
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1));
    ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
  }
  ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
#undef ADD
  struct sock_fprog program = {.len = size, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

// As a terminal starts a command, and not as the tracer's threads: those of a pool block signals,
// and `nohup` ignores one.
static void reset_signals(void) {
  sigset_t none;
  for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static int command;

int ctracing_start(char *const arguments[], const char *const names[]) {
  int go[2];
  if (pipe2(go, O_CLOEXEC) != 0) return -errno;
  command = fork();
  if (command < 0) return -errno;
  if (command == 0) {
    char byte;
    setpgid(0, 0);
    reset_signals();
    close(go[1]);
    // Nothing comes if the process cannot be traced.
    if (read(go[0], &byte, 1) == 1 && install_filter(names) == 0) execv(arguments[0], arguments);
    _exit(127);
  }
  long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                 PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  int error = ptrace(PTRACE_SEIZE, command, NULL, options) == 0 ? 0 : errno;
  if (error == 0 && write(go[1], "", 1) != 1) error = errno;
  close(go[0]);
  close(go[1]);
  return error == 0 ? command : -error;
}

// MARK: Stops

static bool stops(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

ctracing_event ctracing_next(ctracing_call *call, int *status, bool waits) {
  while (true) {
    int state, thread = waitpid(-1, &state, __WALL | (waits ? 0 : WNOHANG));
    if (thread == 0) return ctracing_waiting;
    if (thread < 0 && errno == EINTR) continue;
    if (thread < 0) return ctracing_ended;
    if (!WIFSTOPPED(state)) {
      if (thread == command) *status = state;
      continue;
    }
    int event = state >> 16, signal = WSTOPSIG(state);
    if (event == PTRACE_EVENT_SECCOMP && describe(thread, call)) return ctracing_stopped;
    // A stopped process stays stopped.
    bool listens = event == PTRACE_EVENT_STOP && stops(signal);
    ptrace(listens ? PTRACE_LISTEN : PTRACE_CONT, thread, NULL, event ? 0L : (long)signal);
  }
}

// MARK: Results

// `man 2 seccomp`: a tracer skips a call with the number -1, and sets its result.
static void fail(int thread, int error) {
  struct user_regs_struct registers;
  struct iovec all = {&registers, sizeof registers};
  ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &all);
#if defined(__x86_64__)
  registers.orig_rax = (unsigned long long)-1;
  registers.rax = (unsigned long long)-error;
#else
  int none = -1;
  struct iovec number = {&none, sizeof none};
  ptrace(PTRACE_SETREGSET, thread, (void *)NT_ARM_SYSTEM_CALL, &number);
  registers.regs[0] = (unsigned long long)-error;
#endif
  ptrace(PTRACE_SETREGSET, thread, (void *)NT_PRSTATUS, &all);
}

void ctracing_send(int process, int thread, int signal) {
  unsigned long long handled = status_of(thread, "\nSigBlk:", 16) | status_of(thread, "\nSigCgt:", 16);
  if (!(handled >> (signal - 1) & 1)) tgkill(process, thread, signal);
}

void ctracing_end_by(int number) {
  reset_signals();
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  raise(number);
}

void ctracing_go_on(int thread, int error) {
  if (error) fail(thread, error);
  ptrace(PTRACE_CONT, thread, NULL, 0L);
}
