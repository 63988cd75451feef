#ifndef CALLS_H
#define CALLS_H

#include "CTracing.h"

/// Returns -1 if this system has no such call.
int number_of_call(const char *name);

/// Describes the call before which a thread is stopped. Returns false if it is not known.
bool describe(int thread, ctracing_call *call);

/// The number of a line of the kernel's status of a thread, such as `\nTgid:`. 0 if there is none.
unsigned long long status_of(int thread, const char *field, int base);

#endif
