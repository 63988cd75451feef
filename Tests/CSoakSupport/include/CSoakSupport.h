// Reports what a program tried when it crashed. In C, because a signal's handler may call few
// functions.
#ifndef CSOAKSUPPORT_H
#define CSOAKSUPPORT_H

#include <stdint.h>

/// From now on, a crash prints the seeds in progress, and adds them to the file as a tally of one
/// failure. Then the signal has its usual effect.
///
/// - Parameters:
///   - part: the tally's name, without quotation marks.
///   - file: empty if there is none.
void csoak_install(const char *part, const char *file);

/// The calling thread tries this seed until the next call, or until `csoak_end`.
void csoak_begin(uint64_t seed);
/// Names the calling thread's try within its seed.
void csoak_name(const char *name);
void csoak_end(void);

#endif
