// The calls that can be traced, and what names their files.
#define _GNU_SOURCE
#include "Calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

typedef enum { no_file, descriptor, path, path_in_folder } file_kind;

// The argument at a place names the file, and the one before it a folder. Memory without a file has
// the descriptor -1.
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
    CALL(mmap, descriptor, 4),        CALL(clone, no_file, 0),
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

int number_of_call(const char *name) {
  for (size_t i = 0; i < CALLS; i++)
    if (strcmp(name, calls[i].name) == 0) return calls[i].number;
  return -1;
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
  }
}

// MARK: Descriptions

unsigned long long status_of(int thread, const char *field, int base) {
  char name[64], text[2048];
  snprintf(name, sizeof name, "/proc/%d/status", thread);
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count < 0 ? 0 : count] = 0;
  const char *line = strstr(text, field);
  return line ? strtoull(line + strlen(field), NULL, base) : 0;
}

bool describe(int thread, ctracing_call *call) {
  struct __ptrace_syscall_info info;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0) return false;
  for (size_t i = 0; i < CALLS; i++) {
    if ((unsigned long long)calls[i].number != info.seccomp.nr) continue;
    unsigned long long arguments[6];
    for (size_t j = 0; j < 6; j++) arguments[j] = info.seccomp.args[j];
    *call = (ctracing_call){.process = (int)status_of(thread, "\nTgid:", 10), .thread = thread, .name = calls[i].name};
    read_file(&calls[i], arguments, call);
    return true;
  }
  return false;
}
