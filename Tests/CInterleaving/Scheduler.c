// One thread of a trial has the turn:
//
//   thread 1   ├─ runs ─┤ choice point                    ├─ runs ─…
//   thread 2            ├─ runs ─┤ waits for a mutex
//   thread 3                     ├─ runs ─┤ choice point
//
// Each choice is a step. Only the thread with the turn touches this state.
#define _GNU_SOURCE
#include "Scheduler.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

__thread managed *self;
__thread int unbroken;

static managed *threads[MOST_THREADS];
static int thread_count;
static cinterleaving_schedule schedule;
static cinterleaving_result result;
static bool has_choices, is_ending;
static sem_t is_over;
static int64_t now;
static uint64_t random_state;
static uint32_t next_choice;
static uint32_t falls[8];
static cinterleaving_branch *branches;
static uint32_t branch_capacity;
static pthread_key_t end_key;

// The program's own code, without its libraries.
extern const char __executable_start, etext;

static uint64_t draw(void) {
  uint64_t z = (random_state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// MARK: Mutexes

bool sched_is_owned_by_other(const void *mutex) {
  for (int i = 0; i < thread_count; i++) {
    if (threads[i] == self) continue;
    for (int j = 0; j < threads[i]->held_count; j++)
      if (threads[i]->held[j] == mutex) return true;
  }
  return false;
}

static bool is_owned_by_other(const managed *thread, const void *mutex) {
  managed *caller = self;
  self = (managed *)thread;
  bool is_owned = sched_is_owned_by_other(mutex);
  self = caller;
  return is_owned;
}

void sched_own(const void *mutex) {
  if (self->held_count == MOST_HELD) abort();
  self->held[self->held_count++] = mutex;
}

void sched_disown(const void *mutex) {
  for (int i = self->held_count - 1; i >= 0; i--) {
    if (self->held[i] != mutex) continue;
    self->held_count--;
    memmove(self->held + i, self->held + i + 1, (self->held_count - i) * sizeof *self->held);
    return;
  }
}

// MARK: Choosing

static bool is_enabled(const managed *thread) {
  switch (thread->state) {
    case can_run: return true;
    case wants_mutex: return !is_owned_by_other(thread, thread->object);
    case joins: return ((const managed *)thread->object)->state == has_ended;
    default: return false;
  }
}

static void note_branch(int current, int chosen, uint64_t enabled) {
  if (result.branch_count == branch_capacity) {
    branch_capacity = branch_capacity ? branch_capacity * 2 : 1024;
    branches = realloc(branches, branch_capacity * sizeof *branches);
    result.branches = branches;
  }
  branches[result.branch_count++] =
      (cinterleaving_branch){result.steps, current, chosen, enabled};
}

/// The thread that goes on if nothing else is chosen.
static managed *usual(bool current_can) {
  if (current_can) return self;
  for (int i = 0; i < thread_count; i++)
    if (is_enabled(threads[i])) return threads[i];
  return NULL;
}

static managed *most_urgent(void) {
  for (uint32_t i = 0; i + 1 < schedule.depth && i < 8; i++)
    if (falls[i] == result.steps) self->priority = schedule.depth - 1 - i;
  managed *best = NULL;
  for (int i = 0; i < thread_count; i++)
    if (is_enabled(threads[i]) && (!best || threads[i]->priority > best->priority))
      best = threads[i];
  return best;
}

static managed *named(managed *otherwise) {
  while (next_choice < schedule.choice_count && schedule.choices[next_choice].step < result.steps)
    next_choice++;
  if (next_choice == schedule.choice_count) return otherwise;
  const cinterleaving_choice *choice = &schedule.choices[next_choice];
  if (choice->step != result.steps || choice->thread >= thread_count) return otherwise;
  managed *thread = threads[choice->thread];
  return is_enabled(thread) ? thread : otherwise;
}

/// Null if no thread can go on.
static managed *pick(void) {
  bool current_can = is_enabled(self);
  managed *chosen = usual(current_can);
  if (!has_choices || !chosen) return chosen;
  result.steps++;
  uint64_t enabled = 0;
  int count = 0;
  for (int i = 0; i < thread_count; i++) {
    if (!is_enabled(threads[i])) continue;
    count++;
    if (i < 64) enabled |= 1ull << i;
  }
  managed *next = schedule.is_random ? most_urgent() : named(chosen);
  if (count > 1) note_branch(current_can ? self->id : -1, next->id, enabled);
  result.fingerprint = (result.fingerprint ^ (uint64_t)next->id) * 0x100000001b3;
  return next;
}

/// The virtual clock goes on to the earliest deadline. Null without one.
static managed *earliest(void) {
  managed *first = NULL;
  for (int i = 0; i < thread_count; i++) {
    managed *thread = threads[i];
    if (thread->state != sleeps && thread->state != waits_for_condition) continue;
    if (thread->deadline < 0) continue;
    if (!first || thread->deadline < first->deadline) first = thread;
  }
  if (!first) return NULL;
  if (first->deadline > now) now = first->deadline;
  first->timed_out = true;
  if (first->state == sleeps) {
    first->state = can_run;
  } else {
    first->state = wants_mutex;
    first->object = first->mutex;
  }
  return first;
}

static managed *idle(void) {
  for (int i = 0; i < thread_count; i++)
    if (threads[i]->state == has_no_job) return threads[i];
  return NULL;
}

static managed *next_thread(void) {
  managed *next = pick();
  while (!next && earliest()) next = pick();
  if (next || threads[0]->state != has_ended) return next;
  // The body has returned. Threads that serve jobs end one after another.
  is_ending = true;
  next = idle();
  if (next) next->state = can_run;
  return next;
}

static void finish(cinterleaving_outcome outcome) {
  result.outcome = outcome;
  for (int i = 0; i < thread_count; i++) result.left += threads[i]->state != has_ended;
  sem_post(&is_over);
}

/// Gives the turn to the next thread.
static void hand_over(void) {
  managed *next = next_thread();
  if (next == self && result.steps <= schedule.most_steps) return;
  bool has_end = self->state == has_ended;
  managed *me = self;
  if (result.steps > schedule.most_steps) {
    finish(cinterleaving_endless);
  } else if (next) {
    sem_post(&next->turn);
  } else {
    finish(threads[0]->state == has_ended ? cinterleaving_ended : cinterleaving_deadlock);
  }
  if (has_end) return;
  while (sem_wait(&me->turn) != 0) {}
}

void sched_choose(const void *caller) {
  if (!has_choices || unbroken) return;
  if (caller && ((const char *)caller < &__executable_start || (const char *)caller > &etext))
    return;
  hand_over();
}

void sched_wait(void) {
  hand_over();
  self->state = can_run;
  self->deadline = -1;
}

void sched_wake(const void *condition, bool all) {
  while (true) {
    managed *first = NULL;
    for (int i = 0; i < thread_count; i++) {
      managed *thread = threads[i];
      if (thread->state != waits_for_condition || thread->object != condition) continue;
      if (!first || thread->waits_since < first->waits_since) first = thread;
    }
    if (!first) return;
    first->state = wants_mutex;
    first->object = first->mutex;
    if (!all) return;
  }
}

managed *sched_idle_thread(void) { return idle(); }
managed *sched_thread(int id) { return id < thread_count ? threads[id] : NULL; }

managed *sched_thread_of(pthread_t handle) {
  for (int i = 0; i < thread_count; i++)
    if (threads[i]->state != has_ended && pthread_equal(threads[i]->handle, handle))
      return threads[i];
  return NULL;
}

bool sched_is_ending(void) { return is_ending; }
int64_t sched_time(void) { return now; }
// Time passes, so that a loop that reads the clock ends.
int64_t sched_next_time(void) { return now += 1000; }

// MARK: Threads

managed *sched_new_thread(void *(*routine)(void *), void *argument) {
  if (thread_count == MOST_THREADS) abort();
  managed *thread = calloc(1, sizeof *thread);
  thread->id = thread_count;
  thread->routine = routine;
  thread->argument = argument;
  thread->deadline = -1;
  // Falls give a thread less than this.
  thread->priority = draw() | 1ull << 32;
  sem_init(&thread->turn, 0, 0);
  threads[thread_count++] = thread;
  result.threads = thread_count;
  return thread;
}

/// Other destructors still take locks. The last round of destructors is the thread's end.
static void end_thread(void *thread) {
  managed *me = thread;
  if (++me->rounds_of_destructors < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(end_key, me);
    return;
  }
  me->state = has_ended;
  me->held_count = 0;
  hand_over();
  self = NULL;
}

static void *run_thread(void *thread) {
  managed *me = thread;
  while (sem_wait(&me->turn) != 0) {}
  self = me;
  me->handle = pthread_self();
  pthread_setspecific(end_key, me);
  return me->routine(me->argument);
}

int sched_start(managed *thread, const pthread_attr_t *attributes) {
  int status = real_create(&thread->handle, attributes, run_thread, thread);
  if (status != 0) thread->state = has_ended;
  return status;
}

// MARK: Runs

static void (*body)(void *);
static void *body_context;

static void *run_body(void *unused) {
  body(body_context);
  has_choices = false;
  return unused;
}

static void prepare(const cinterleaving_schedule *given) {
  static bool was_prepared;
  if (!was_prepared) {
    real_find();
    jobs_install();
    pthread_key_create(&end_key, end_thread);
    sem_init(&is_over, 0, 0);
    was_prepared = true;
  }
  for (int i = 0; i < thread_count; i++) free(threads[i]);
  thread_count = 0;
  schedule = *given;
  result = (cinterleaving_result){.fingerprint = 0xcbf29ce484222325, .branches = branches};
  has_choices = is_ending = false;
  now = 1000000000000;
  next_choice = 0;
  random_state = schedule.seed;
  for (int i = 0; i < 8; i++)
    falls[i] = schedule.steps ? (uint32_t)(draw() % schedule.steps) + 1 : 0;
}

cinterleaving_result cinterleaving_run(
    const cinterleaving_schedule *given, void (*given_body)(void *), void *context) {
  prepare(given);
  body = given_body;
  body_context = context;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  managed *root = sched_new_thread(run_body, NULL);
  if (sched_start(root, &attributes) != 0) abort();
  pthread_attr_destroy(&attributes);
  sem_post(&root->turn);
  while (sem_wait(&is_over) != 0) {}
  return result;
}

void cinterleaving_begin_choices(void) { has_choices = self != NULL; }
void cinterleaving_end_choices(void) { has_choices = false; }
cinterleaving_result cinterleaving_now(void) { return result; }
