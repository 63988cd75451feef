#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "CLinux.h"

#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>

unsigned long long clinux_hash(const void *bytes, unsigned long count) {
  const unsigned char *next = bytes, *end = next + count;
  uint64_t hash = 0xCBF29CE484222325 ^ count;
  for (uint64_t word; end - next >= 8; next += 8) {
    memcpy(&word, next, 8);
    hash = (hash ^ word) * 0x100000001B3;
    hash ^= hash >> 29; // Mixes the high bits of a word into the low ones.
  }
  while (next < end) hash = (hash ^ *next++) * 0x100000001B3;
  return hash;
}

int clinux_spawn(int *process, const char *program, char *const arguments[],
                 char *const environment[], const int streams[3]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  // A signal to the caller's group may reach the process before it has a group of its own.
  sigdelset(&all, SIGINT);
  sigdelset(&all, SIGTERM);
  sigdelset(&all, SIGHUP);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_init(&actions);
  int error = 0;
  for (int stream = 0; stream < 3 && error == 0; stream++)
    error = posix_spawn_file_actions_adddup2(&actions, streams[stream], stream);
  if (error == 0)
    error = posix_spawn(process, program, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

int clinux_start_thread(unsigned long stack_size, void *(*run)(void *), void *argument) {
  pthread_attr_t attributes;
  pthread_t thread;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return error;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (stack_size > 0) error = pthread_attr_setstacksize(&attributes, stack_size);
  if (error == 0) error = pthread_create(&thread, &attributes, run, argument);
  pthread_attr_destroy(&attributes);
  return error;
}

static void *pass(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return 0;
}

int clinux_try_threads(int count) {
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[count];
  int started = 0, error = 0;
  pthread_mutex_lock(&gate);
  while (started < count && error == 0) {
    error = pthread_create(&threads[started], 0, pass, &gate);
    if (error == 0) started++;
  }
  pthread_mutex_unlock(&gate);
  while (started > 0) pthread_join(threads[--started], 0);
  return error;
}

#ifdef __linux__
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

// Runs before main, and before Swift's runtime opens files. Such a file could get the number of a
// closed standard stream, and messages would be written into it. So each closed stream becomes the
// null device, opened for reading only: writing to it still fails.
__attribute__((constructor)) static void replace_closed_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
    if (fcntl(stream, F_GETFD) < 0) (void)!open("/dev/null", O_RDONLY);
}

int clinux_set_timer_slack(unsigned long nanoseconds) {
  return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}

void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int clinux_die_with_parent(int signal) {
  return prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0, 0, 0);
}

int clinux_memory_file(void) { return memfd_create("topobench", MFD_CLOEXEC); }

int clinux_rename_to_unused(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

long long clinux_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (long long)info.uordblks + (long long)info.hblkhd;
}

void clinux_return_free_memory(void) { malloc_trim(0); }

void clinux_restart_peak_memory(void) {
  int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  (void)!write(file, "5", 1);
  close(file);
}

// Twice the most processors that a kernel supports. The kernel refuses a smaller set.
enum { most_processors = 16384 };
typedef struct {
  _Alignas(cpu_set_t) unsigned char bits[most_processors / 8];
} processors;

int clinux_allowed_processors(int *numbers, int room) {
  processors set = {{0}};
  if (sched_getaffinity(0, sizeof set, (cpu_set_t *)&set) != 0) return -1;
  int count = 0;
  for (int number = 0; number < most_processors && count < room; number++)
    if (CPU_ISSET_S(number, sizeof set, (cpu_set_t *)&set)) numbers[count++] = number;
  return count;
}

int clinux_run_only_when_idle(int processor) {
  processors set = {{0}};
  CPU_SET_S(processor, sizeof set, (cpu_set_t *)&set);
  if (sched_setaffinity(0, sizeof set, (cpu_set_t *)&set) != 0) return -1;
  char name[16];
  snprintf(name, sizeof name, "awake %d", processor);
  prctl(PR_SET_NAME, name);
  // The child may have inherited another class, even a real-time class.
  struct sched_param none = {0};
  return sched_setscheduler(0, SCHED_IDLE, &none);
}

const char *clinux_c_library_version(void) { return gnu_get_libc_version(); }

int clinux_runs_only_when_idle(void) {
  return sched_getscheduler(0) == SCHED_IDLE;
}
#else
int clinux_set_timer_slack(unsigned long nanoseconds) { (void)nanoseconds; return -1; }
void clinux_name_thread(const char *name) { (void)name; }
int clinux_die_with_parent(int signal) { (void)signal; return -1; }
int clinux_memory_file(void) { return -1; }
int clinux_rename_to_unused(const char *from, const char *to) { (void)from; (void)to; return -1; }
long long clinux_allocated_bytes(void) { return -1; }
void clinux_return_free_memory(void) {}
void clinux_restart_peak_memory(void) {}
int clinux_allowed_processors(int *numbers, int room) { (void)numbers; (void)room; return -1; }
int clinux_run_only_when_idle(int processor) { (void)processor; return -1; }
int clinux_runs_only_when_idle(void) { return 0; }
const char *clinux_c_library_version(void) { return ""; }
#endif
