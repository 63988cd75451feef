// Runs a trial's threads one at a time, in an order that a schedule names. In C, because it
// replaces functions of the C library.
//
// A program that links this target has its own `pthread_mutex_lock` and so on, which all libraries
// in the process call. Threads outside of a trial reach the system's functions through them.
#ifndef CINTERLEAVING_H
#define CINTERLEAVING_H

#include <stdbool.h>
#include <stdint.h>

/// A place in a run where more than one thread could go on.
typedef struct {
  uint32_t step;
  /// The thread that came here; -1 if it cannot go on.
  int32_t current;
  int32_t chosen;
  /// The threads that could go on, as bits. Threads after the 64th have no bit, so an exploration
  /// never chooses them.
  uint64_t enabled;
} cinterleaving_branch;

/// A choice that differs from the usual one: the current thread goes on if it can, otherwise the
/// oldest one that can.
typedef struct {
  uint32_t step;
  int32_t thread;
} cinterleaving_choice;

typedef struct {
  /// Probabilistic concurrency testing: the thread with the highest priority runs. Priorities are
  /// drawn, and fall at `depth` - 1 drawn steps. Without it, `choices` decide.
  bool is_random;
  uint64_t seed;
  uint32_t depth;
  /// The expected number of steps, for the draw.
  uint32_t steps;
  /// In ascending order of steps.
  const cinterleaving_choice *choices;
  uint32_t choice_count;
  /// A run with more steps is stopped as endless.
  uint32_t most_steps;
} cinterleaving_schedule;

typedef enum {
  cinterleaving_ended,
  cinterleaving_deadlock,
  cinterleaving_endless,
} cinterleaving_outcome;

typedef struct {
  cinterleaving_outcome outcome;
  /// Of the part between `begin_choices` and `end_choices`, like `branches`.
  uint32_t steps;
  uint32_t threads;
  /// Threads that still wait after the body has returned.
  uint32_t left;
  uint64_t fingerprint;
  const cinterleaving_branch *branches;
  uint32_t branch_count;
} cinterleaving_result;

/// Runs `body` on a thread of its own, and returns when it and all threads that it started have
/// ended, or wait for ever, or after `most_steps`. Threads that have not ended stay in the process:
/// end it after a deadlock or an endless run.
cinterleaving_result cinterleaving_run(
    const cinterleaving_schedule *schedule, void (*body)(void *), void *context);

/// Before this and after `end_choices`, a thread runs until it waits.
void cinterleaving_begin_choices(void);
void cinterleaving_end_choices(void);

/// Returns when no other thread of the trial can go on.
void cinterleaving_let_others_finish(void);

/// The run in progress, or the last one. For reports of a crash.
cinterleaving_result cinterleaving_now(void);

/// Prints what each waiting thread waits for, and its calls.
void cinterleaving_print_waits(void);

/// Calls `report` on the thread that crashes, then ends the process with status 1.
void cinterleaving_on_crash(void (*report)(void));

/// Gives each run the same addresses and no random hashes: starts the program again if necessary.
void cinterleaving_make_repeatable(char *const arguments[]);

#endif
