#ifndef CALLS_H
#define CALLS_H

#include "CTracing.h"

/// Returns -1 if this system has no such call.
int number_of_call(const char *name);

/// Describes the call before which a thread is stopped. Returns false if it is not known.
bool describe(int thread, ctracing_call *call);

#endif
