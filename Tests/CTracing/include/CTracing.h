// Stops the threads of a command and of its processes before some of their system calls. In C,
// because ptrace and seccomp consist of macros and functions of any number of arguments.
#ifndef CTRACING_H
#define CTRACING_H

#include <stdbool.h>

typedef struct {
  int process;
  int thread;
  /// Such as `openat`.
  const char *name;
  /// The absolute path, or what the kernel calls a file without one, or nothing. Valid until the
  /// next call.
  const char *file;
} ctracing_call;

typedef enum { ctracing_stopped, ctracing_waiting, ctracing_ended } ctracing_event;

/// The names of the calls that can be traced here, of which the last is null.
extern const char *const *ctracing_names(void);

/// Starts a command as the leader of a new process group.
///
/// - Parameters:
///   - arguments: the program's path and arguments, and null.
///   - names: of the traced calls, and null.
/// - Returns: the number of the process; below 0 an error's number, if nothing can be traced.
int ctracing_start(char *const arguments[], const char *const names[]);

/// Waits for a traced call of any thread, or for the end of all processes.
///
/// - Parameters:
///   - call: is filled if a thread is stopped. It waits for `ctracing_go_on`.
///   - status: of `waitpid`, once the command has ended.
///   - waits: false to return if nothing has happened.
ctracing_event ctracing_next(ctracing_call *call, int *status, bool waits);

/// Lets a stopped thread go on.
///
/// - Parameter error: the call's result if not 0. The call is not carried out then.
void ctracing_go_on(int thread, int error);

/// Sends a signal to one thread, unless the thread blocks it or its process handles it.
void ctracing_send(int process, int thread, int signal);

/// Ends this process by a signal, without a file of its memory.
void ctracing_end_by(int number);

#endif
