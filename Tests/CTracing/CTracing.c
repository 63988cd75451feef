// The kernel stops a thread before each call that a filter names, and its tracer then learns of it:
//
//   command ──fork──▶ processes and threads     each one is traced from its start
//      │ openat, write, …
//      ▼
//   seccomp's filter ──▶ PTRACE_EVENT_SECCOMP ──▶ ctracing_next ──▶ ctracing_go_on
#define _GNU_SOURCE
#include "CTracing.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// MARK: Calls

typedef enum { no_file, descriptor, path, path_in_folder, mapping } file_kind;

// An argument's place names the file, and the one before it a folder.
typedef struct {
  const char *name;
  int number;
  file_kind kind;
  int place;
} traced_call;

#define CALL(name, kind, place) {#name, SYS_##name, kind, place}

static const traced_call calls[] = {
    CALL(openat, path_in_folder, 1),  CALL(write, descriptor, 0),
    CALL(pread64, descriptor, 0),     CALL(pwrite64, descriptor, 0),
    CALL(fsync, descriptor, 0),       CALL(fdatasync, descriptor, 0),
    CALL(ftruncate, descriptor, 0),   CALL(renameat2, path_in_folder, 1),
    CALL(unlinkat, path_in_folder, 1), CALL(mkdirat, path_in_folder, 1),
    CALL(mmap, mapping, 4),           CALL(clone, no_file, 0),
    CALL(clone3, no_file, 0),         CALL(execve, path, 0),
    CALL(pipe2, no_file, 0),          CALL(ppoll, no_file, 0),
    CALL(wait4, no_file, 0),          CALL(waitid, no_file, 0),
    CALL(kill, no_file, 0),           CALL(exit_group, no_file, 0),
#ifdef SYS_renameat
    CALL(renameat, path_in_folder, 1),
#endif
// Newer architectures lack these.
#ifdef SYS_rename
    CALL(rename, path, 0),            CALL(unlink, path, 0),
    CALL(mkdir, path, 0),             CALL(rmdir, path, 0),
    CALL(poll, no_file, 0),           CALL(vfork, no_file, 0),
#endif
};
#define CALLS (sizeof calls / sizeof *calls)

const char *const *ctracing_names(void) {
  static const char *names[CALLS + 1];
  for (size_t i = 0; i < CALLS; i++) names[i] = calls[i].name;
  return names;
}

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
  struct sock_filter filter[2 * CALLS + 8];
  unsigned short size = 0;
#define ADD(...) filter[size++] = (struct sock_filter)__VA_ARGS__
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
  for (; *names; names++) {
    for (size_t i = 0; i < CALLS; i++) {
      if (strcmp(*names, calls[i].name) != 0) continue;
      ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number, 0, 1));
      ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
    }
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

// MARK: Files

static void read_link(const char *link, char *text, size_t size) {
  ssize_t count = readlink(link, text, size - 1);
  text[count < 0 ? 0 : count] = 0;
}

static void read_descriptor(int thread, int number, char *text, size_t size) {
  char link[64];
  const char *name = number == AT_FDCWD ? "/proc/%d/cwd" : "/proc/%d/fd/%d";
  snprintf(link, sizeof link, name, thread, number);
  read_link(link, text, size);
}

// Ends at a page that cannot be read.
static void read_text(int thread, unsigned long long address, char *text, size_t size) {
  size_t length = 0;
  while (length + 1 < size) {
    size_t count = 256 - address % 256;
    if (count > size - 1 - length) count = size - 1 - length;
    struct iovec here = {text + length, count}, there = {(void *)address, count};
    if (process_vm_readv(thread, &here, 1, &there, 1, 0) != (ssize_t)count) break;
    if (memchr(text + length, 0, count)) return;
    length += count;
    address += count;
  }
  text[length] = 0;
}

static void read_path(int thread, int folder, unsigned long long address, char *text, size_t size) {
  char name[4096];
  read_text(thread, address, name, sizeof name);
  *text = 0;
  if (*name != '/') {
    read_descriptor(thread, folder, text, 4096);
    strcat(text, "/");
  }
  strncat(text, name, size - strlen(text) - 1);
}

static void read_file(
    const traced_call *known, const unsigned long long *arguments, ctracing_call *call) {
  static char file[8192];
  unsigned long long argument = arguments[known->place];
  size_t size = sizeof file;
  call->file = file;
  *file = 0;
  switch (known->kind) {
    case no_file: break;
    case descriptor: read_descriptor(call->thread, (int)argument, file, size); break;
    case path: read_path(call->thread, AT_FDCWD, argument, file, size); break;
    case path_in_folder:
      read_path(call->thread, (int)arguments[known->place - 1], argument, file, size);
      break;
    case mapping:
      if ((int)argument >= 0) {
        read_descriptor(call->thread, (int)argument, file, size);
      } else {
        snprintf(file, size, "anonymous %llu", arguments[1]);
      }
  }
}

// MARK: Stops

static int process_of(int thread) {
  char name[64], text[512];
  snprintf(name, sizeof name, "/proc/%d/status", thread);
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return thread;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count < 0 ? 0 : count] = 0;
  const char *line = strstr(text, "\nTgid:");
  int process = thread;
  if (line) sscanf(line, "\nTgid:%d", &process);
  return process;
}

static bool describe(int thread, ctracing_call *call) {
  struct __ptrace_syscall_info info;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0) return false;
  for (size_t i = 0; i < CALLS; i++) {
    if ((unsigned long long)calls[i].number != info.seccomp.nr) continue;
    unsigned long long arguments[6];
    for (size_t j = 0; j < 6; j++) arguments[j] = info.seccomp.args[j];
    *call = (ctracing_call){.process = process_of(thread), .thread = thread, .name = calls[i].name};
    read_file(&calls[i], arguments, call);
    return true;
  }
  return false;
}

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

void ctracing_end_by(int number) {
  reset_signals();
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  raise(number);
}

void ctracing_go_on(int thread, int error) {
  if (error) fail(thread, error);
  ptrace(PTRACE_CONT, thread, NULL, 0L);
}
