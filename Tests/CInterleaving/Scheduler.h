#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <pthread.h>
#include <semaphore.h>

#include "CInterleaving.h"

typedef enum {
  can_run,
  wants_mutex,
  waits_for_condition,
  sleeps,
  joins,
  has_no_job,
  has_ended,
} thread_state;

#define MOST_HELD 64
#define MOST_THREADS 4096

typedef struct managed {
  int id;
  thread_state state;
  /// The lock, the condition or the thread that the state waits for.
  const void *object;
  /// The mutex that a wait for a condition takes again.
  pthread_mutex_t *mutex;
  /// In virtual nanoseconds; -1 for none.
  int64_t deadline;
  bool timed_out;
  uint64_t waits_since;
  uint64_t priority;
  sem_t turn;
  pthread_t handle;
  void *(*routine)(void *);
  void *argument;
  void *job;
  const void *held[MOST_HELD];
  int held_count;
  int rounds_of_destructors;
} managed;

/// The calling thread; null outside of a trial.
extern __thread managed *self;
/// Above 0 while the calling thread must not stop, such as in a lazy initialiser.
extern __thread int unbroken;

managed *sched_new_thread(void *(*routine)(void *), void *argument);
/// Starts the thread, which waits for its turn.
int sched_start(managed *thread, const pthread_attr_t *attributes);
/// A choice point: another thread may run before this returns.
void sched_choose(const void *caller);
/// Lets others run until the state of `self` allows it to go on.
void sched_wait(void);
bool sched_is_owned_by_other(const void *mutex);
void sched_own(const void *mutex);
void sched_disown(const void *mutex);
/// Wakes threads that wait for a condition.
void sched_wake(const void *condition, bool all);
managed *sched_idle_thread(void);
/// Null after the last one.
managed *sched_thread(int id);
managed *sched_thread_of(pthread_t handle);
bool sched_is_ending(void);
int64_t sched_time(void);
int64_t sched_next_time(void);

void jobs_install(void);

/// The functions of the C library.
extern int (*real_mutex_lock)(pthread_mutex_t *);
extern int (*real_mutex_trylock)(pthread_mutex_t *);
extern int (*real_mutex_unlock)(pthread_mutex_t *);
extern int (*real_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
void real_find(void);

#endif
