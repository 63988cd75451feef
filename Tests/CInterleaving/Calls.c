// The functions that replace those of the C library. A thread outside of a trial gets the system's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "Scheduler.h"

int (*real_mutex_lock)(pthread_mutex_t *);
int (*real_mutex_trylock)(pthread_mutex_t *);
int (*real_mutex_unlock)(pthread_mutex_t *);
int (*real_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*real_cond_wait)(pthread_cond_t *, pthread_mutex_t *);
static int (*real_cond_timedwait)(
    pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static int (*real_cond_signal)(pthread_cond_t *);
static int (*real_cond_broadcast)(pthread_cond_t *);
static int (*real_join)(pthread_t, void **);
static int (*real_nanosleep)(const struct timespec *, struct timespec *);
static int (*real_usleep)(useconds_t);
static int (*real_yield)(void);
static int (*real_clock_gettime)(clockid_t, struct timespec *);
static int (*real_fcntl)(int, int, ...);
static int (*real_fdatasync)(int);

// The linker would choose a condition's oldest version, whose layout differs.
static void *find(const char *name) {
  void *function = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  if (!function) function = dlsym(RTLD_NEXT, name);
  if (!function) abort();
  return function;
}

void real_find(void) {
  if (real_fdatasync) return;
  real_mutex_lock = find("pthread_mutex_lock");
  real_mutex_trylock = find("pthread_mutex_trylock");
  real_mutex_unlock = find("pthread_mutex_unlock");
  real_create = find("pthread_create");
  real_cond_wait = find("pthread_cond_wait");
  real_cond_timedwait = find("pthread_cond_timedwait");
  real_cond_signal = find("pthread_cond_signal");
  real_cond_broadcast = find("pthread_cond_broadcast");
  real_join = find("pthread_join");
  real_nanosleep = find("nanosleep");
  real_usleep = find("usleep");
  real_yield = find("sched_yield");
  real_clock_gettime = find("clock_gettime");
  real_fcntl = find("fcntl64");
  real_fdatasync = find("fdatasync");
}

__attribute__((constructor(101))) static void find_first(void) { real_find(); }

#define FIND() do { if (__builtin_expect(!real_fdatasync, 0)) real_find(); } while (0)
#define CALLER __builtin_return_address(0)

// MARK: Mutexes

static int take(pthread_mutex_t *mutex) {
  while (sched_is_owned_by_other(mutex)) {
    self->state = wants_mutex;
    self->object = mutex;
    sched_wait();
  }
  int status = real_mutex_lock(mutex);
  if (status == 0) sched_own(mutex);
  return status;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  FIND();
  if (!self) return real_mutex_lock(mutex);
  sched_choose(CALLER);
  return take(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  FIND();
  if (!self) return real_mutex_trylock(mutex);
  sched_choose(CALLER);
  int status = sched_is_owned_by_other(mutex) ? EBUSY : real_mutex_trylock(mutex);
  if (status == 0) sched_own(mutex);
  return status;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  FIND();
  if (self) sched_disown(mutex);
  return real_mutex_unlock(mutex);
}

// MARK: Conditions

static int wait_managed(
    pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline, const void *caller) {
  static uint64_t waits;
  sched_choose(caller);
  pthread_mutex_unlock(mutex);
  self->state = waits_for_condition;
  self->object = condition;
  self->mutex = mutex;
  self->deadline = deadline;
  self->timed_out = false;
  self->waits_since = ++waits;
  sched_wait();
  bool timed_out = self->timed_out;
  int status = take(mutex);
  return status != 0 ? status : timed_out ? ETIMEDOUT : 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  FIND();
  if (!self) return real_cond_wait(condition, mutex);
  return wait_managed(condition, mutex, -1, CALLER);
}

// The deadline must be of the monotonic clock.
int pthread_cond_timedwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
  FIND();
  if (!self) return real_cond_timedwait(condition, mutex, deadline);
  int64_t time = deadline->tv_sec * 1000000000 + deadline->tv_nsec;
  if (time <= sched_time()) return ETIMEDOUT;
  return wait_managed(condition, mutex, time, CALLER);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  FIND();
  if (!self) return real_cond_signal(condition);
  sched_choose(CALLER);
  sched_wake(condition, false);
  return real_cond_signal(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  FIND();
  if (!self) return real_cond_broadcast(condition);
  sched_choose(CALLER);
  sched_wake(condition, true);
  return real_cond_broadcast(condition);
}

// MARK: Threads

// Dispatch's threads wait in ways that are not replaced.
static bool is_dispatch(const void *caller) {
  Dl_info info;
  return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libdispatch");
}

int pthread_create(
    pthread_t *handle, const pthread_attr_t *attributes, void *(*routine)(void *),
    void *argument) {
  FIND();
  if (!self || is_dispatch(CALLER)) return real_create(handle, attributes, routine, argument);
  managed *thread = sched_new_thread(routine, argument);
  int status = sched_start(thread, attributes);
  *handle = thread->handle;
  if (status == 0) sched_choose(NULL);
  return status;
}

int pthread_join(pthread_t handle, void **value) {
  FIND();
  managed *thread = self ? sched_thread_of(handle) : NULL;
  if (thread) {
    self->state = joins;
    self->object = thread;
    sched_wait();
  }
  return real_join(handle, value);
}

int sched_yield(void) {
  FIND();
  if (!self) return real_yield();
  sched_choose(NULL);
  return 0;
}

// MARK: Time

static void sleep_managed(int64_t duration) {
  self->state = sleeps;
  self->deadline = sched_time() + duration;
  sched_wait();
}

// Nobody wakes from a sleep while another thread can go on.
void cinterleaving_let_others_finish(void) {
  if (self) sleep_managed(1);
}

int nanosleep(const struct timespec *duration, struct timespec *rest) {
  FIND();
  if (!self) return real_nanosleep(duration, rest);
  sleep_managed(duration->tv_sec * 1000000000 + duration->tv_nsec);
  return 0;
}

int usleep(useconds_t duration) {
  FIND();
  if (!self) return real_usleep(duration);
  sleep_managed((int64_t)duration * 1000);
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  FIND();
  if (!self) return real_clock_gettime(clock, time);
  int64_t now = sched_next_time();
  if (clock == CLOCK_REALTIME) now += 1700000000000000000;
  *time = (struct timespec){now / 1000000000, now % 1000000000};
  return 0;
}

// MARK: Files

// SQLite's lock of a file is a choice point. `fcntl64` is the same function on 64-bit systems.
static int control(int file, int command, void *argument) {
  FIND();
  if (self && (command == F_SETLK || command == F_OFD_SETLK)) sched_choose(NULL);
  return real_fcntl(file, command, argument);
}

int fcntl(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  return control(file, command, argument);
}

int fcntl64(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  return control(file, command, argument);
}

// No trial loses its power.
int fdatasync(int file) {
  FIND();
  return self ? 0 : real_fdatasync(file);
}
