// Linux calls that Swift cannot make, one call of Swift's own runtime, and a loop that takes
// seconds in a debug build of Swift. (`prctl` is variadic, and glibc's module leaves it out.)
// Without support of the system they return -1.
#ifndef CLINUX_H
#define CLINUX_H

/// Sets how late the calling thread's timers may fire, in nanoseconds. Linux's default is 50 µs.
/// Returns 0 or -1.
int clinux_set_timer_slack(unsigned long nanoseconds);

/// Names the calling thread in the kernel, by the first 15 bytes.
void clinux_name_thread(const char *name);

/// Makes the kernel send this process a signal when the thread that started it ends. Returns 0 or
/// -1.
int clinux_die_with_parent(int signal);

/// A file in memory, without a name and closed at an exec. Returns its descriptor or -1.
int clinux_memory_file(void);

/// Renames a file, unless the new name exists. Returns 0 or -1, which may also mean that the file
/// system cannot do it.
int clinux_rename_to_unused(const char *from, const char *to);

/// Starts a program in a process group of its own. It ignores SIGINT, SIGTERM and SIGHUP if the
/// caller does; all other signals are at their defaults. `streams` are the descriptors of its three
/// standard streams; the lists end with null. Returns 0 or an error number.
int clinux_spawn(int *process, const char *program, char *const arguments[],
                 char *const environment[], const int streams[3]);

/// Starts a thread that nobody joins. A stack of size 0 has the system's usual size. Returns 0 or
/// an error number.
int clinux_start_thread(unsigned long stack_size, void *(*run)(void *), void *argument);

/// Starts that many threads, which end at once. Returns 0 or an error number.
int clinux_try_threads(int count);

/// Swift's runtime: adds a strong reference to an object, unless its deallocation has begun; null
/// then. The memory must still be the object's.
void *swift_tryRetain(void *object);

/// libdispatch: an event descriptor that is readable once work waits on the main dispatch queue.
/// CoreFoundation's run loop uses it.
int _dispatch_get_main_queue_handle_4CF(void);

/// Asks the processor to load the line of memory at an address, which may be invalid.
static inline void clinux_prefetch(const void *address) { __builtin_prefetch(address); }

/// A hash, not cryptographic: FNV-1a over words of eight bytes.
unsigned long long clinux_hash(const void *bytes, unsigned long count);

/// The bytes in use in malloc's main arena, or -1.
long long clinux_allocated_bytes(void);

/// Returns freed memory of all threads to the system.
void clinux_return_free_memory(void);

/// Restarts the process's peak memory (`VmHWM`) at its present size, if the kernel allows it.
void clinux_restart_peak_memory(void);

/// Writes the numbers of the processors that the calling thread may run on, at most `room` of them.
/// Returns how many, or -1.
int clinux_allowed_processors(int *numbers, int room);

/// Restricts the calling thread to one processor and to times when nothing else runs there
/// (SCHED_IDLE). Replaces any inherited class and names the thread `awake` with the number. Returns
/// 0 or -1.
int clinux_run_only_when_idle(int processor);

int clinux_runs_only_when_idle(void);

/// Empty if the C library is not glibc.
const char *clinux_c_library_version(void);

// Requests to callgrind. Outside valgrind each is a few instructions without effect.

/// Makes callgrind watch every thread, without counting yet.
void clinux_start_instrumentation(void);
void clinux_stop_instrumentation(void);

/// Starts or stops counting the calling thread's instructions. Callgrind names the function in a
/// thread's file, which shows whether the thread was main.
void clinux_toggle_main_count(void);
void clinux_toggle_worker_count(void);

#endif
