// Linux calls that Swift cannot make, and one call of Swift's own runtime. (`prctl` is variadic,
// and glibc's module leaves it out.)
#ifndef CLINUX_H
#define CLINUX_H

/// Sets how late the calling thread's timers may fire, in nanoseconds. Linux's default is 50 µs.
/// Returns 0, or -1 if the system does not support it.
int clinux_set_timer_slack(unsigned long nanoseconds);

/// Makes the kernel send this process a signal when the thread that started it ends. Returns 0, or
/// -1 if the system does not support it.
int clinux_die_with_parent(int signal);

/// Swift's runtime: adds a strong reference to an object, unless its deallocation has begun. The
/// memory must still be the object's. Returns the object, or null if it is being deallocated.
void *swift_tryRetain(void *object);

/// The bytes that the process has allocated and not freed, in the main arena; -1 if the system does
/// not report them.
long long clinux_allocated_bytes(void);

/// Returns freed memory of all threads to the system.
void clinux_return_free_memory(void);

/// Writes the numbers of the processors that the calling thread may run on, at most `room` of them.
/// Returns how many it wrote, or -1 if the system does not report them.
int clinux_allowed_processors(int *numbers, int room);

/// Restricts the calling thread to one processor and to times when nothing else runs there
/// (SCHED_IDLE). It replaces any inherited class and names the thread `awake` with the number.
/// Returns 0, or -1 if the system refuses.
int clinux_run_only_when_idle(int processor);

/// Whether the calling thread has the SCHED_IDLE class.
int clinux_runs_only_when_idle(void);

/// The version of the C library; empty if it is not glibc.
const char *clinux_c_library_version(void);

// Requests to callgrind. Outside valgrind each is a few instructions without effect.

/// Makes callgrind watch every thread, without counting yet.
void clinux_start_instrumentation(void);
void clinux_stop_instrumentation(void);

/// Starts or stops counting the calling thread's instructions. Callgrind's file of a thread names
/// the function, so it shows whether the thread was main.
void clinux_toggle_main_count(void);
void clinux_toggle_worker_count(void);

#endif
