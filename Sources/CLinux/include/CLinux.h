// The Linux calls that Swift cannot make (prctl is variadic, and glibc's module leaves it out), and
// one of Swift's own runtime.
#ifndef CLINUX_H
#define CLINUX_H

/// Lets the calling thread's timers be late by at most this many nanoseconds (Linux's default: 50 µs).
/// Returns 0, or -1 where the system has no such thing.
int clinux_set_timer_slack(unsigned long nanoseconds);

/// Has the kernel send this process a signal when the thread that started it ends.
/// Returns 0, or -1 where the system has no such thing.
int clinux_die_with_parent(int signal);

/// Swift's runtime: adds a strong reference to an object, unless its end has begun. The memory must
/// still be the object's. Returns the object, or null if it is at its end.
void *swift_tryRetain(void *object);

/// How many bytes the process has of its allocator and has not given back, in the main arena;
/// -1 where the system does not tell.
long long clinux_allocated_bytes(void);

/// Writes the numbers of the processors that the calling thread may run on, as many as there is room
/// for. Returns how many it wrote, or -1 where the system does not tell.
int clinux_allowed_processors(int *numbers, int room);

/// Has the calling thread run on this processor alone, and there only while nothing else would
/// (SCHED_IDLE), whatever class it had, and names it `awake` with the number. Returns 0, or -1 where
/// that is not to be had.
int clinux_run_only_when_idle(int processor);

/// Whether the calling thread runs only while nothing else would.
int clinux_runs_only_when_idle(void);

#endif
