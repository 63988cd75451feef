#define _GNU_SOURCE
#include "CSoakSupport.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// What one thread tries.
typedef struct {
  atomic_bool is_begun;
  _Atomic uint64_t seed;
  char name[160];
} attempt;

#define MOST_THREADS 256

static attempt attempts[MOST_THREADS];
static atomic_size_t threads;
static __thread attempt *own;

static const char *part, *file;
static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
#define SIGNALS (sizeof signals / sizeof *signals)
static struct sigaction former[SIGNALS];

void csoak_begin(uint64_t seed) {
  if (!own) {
    size_t index = atomic_fetch_add(&threads, 1);
    if (index >= MOST_THREADS) return;
    own = &attempts[index];
  }
  own->name[0] = 0;
  own->seed = seed;
  own->is_begun = true;
}

void csoak_name(const char *name) {
  if (own) strncpy(own->name, name, sizeof own->name - 1);
}

void csoak_end(void) {
  if (own) own->is_begun = false;
}

// MARK: Crashes

typedef struct {
  char bytes[4096];
  size_t length;
} text;

static void add(text *text, const char *more) {
  while (*more && text->length < sizeof text->bytes) text->bytes[text->length++] = *more++;
}

static void add_number(text *text, uint64_t number) {
  char digits[24];
  char *first = digits + sizeof digits - 1;
  *first = 0;
  do *--first = (char)('0' + number % 10);
  while (number /= 10);
  add(text, first);
}

static void write_to(int descriptor, const text *text) {
  for (size_t done = 0; done < text->length;) {
    ssize_t count = write(descriptor, text->bytes + done, text->length - done);
    if (count <= 0) return;
    done += (size_t)count;
  }
}

static void add_tally(uint64_t first, uint64_t last) {
  int descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return;
  text tally = {.length = 0};
  add(&tally, "{\"name\":\"");
  add(&tally, part);
  add(&tally, "\",\"tries\":0,\"failures\":1,\"seeds\":[");
  add_number(&tally, first);
  add(&tally, ",");
  add_number(&tally, last);
  add(&tally, "]}\n");
  write_to(descriptor, &tally);
  close(descriptor);
}

static void report(int signal) {
  text said = {.length = 0};
  add(&said, "\n");
  add(&said, part);
  add(&said, ": stopped by signal ");
  add_number(&said, (uint64_t)signal);
  uint64_t first = UINT64_MAX, last = 0;
  const char *before = " while it tried ";
  for (size_t i = 0; i < MOST_THREADS; i++) {
    if (!attempts[i].is_begun) continue;
    uint64_t seed = attempts[i].seed;
    add(&said, before);
    add(&said, "seed ");
    add_number(&said, seed);
    if (attempts[i].name[0]) {
      add(&said, " (");
      add(&said, attempts[i].name);
      add(&said, ")");
    }
    before = ", ";
    if (seed < first) first = seed;
    if (seed > last) last = seed;
  }
  add(&said, "\n");
  write_to(STDERR_FILENO, &said);
  if (first <= last && *file) add_tally(first, last);
}

static void crashed(int signal) {
  static atomic_flag is_reported = ATOMIC_FLAG_INIT;
  static __thread bool is_own;
  if (!atomic_flag_test_and_set(&is_reported)) {
    is_own = true;
    report(signal);
  }
  // Another thread's report comes first.
  while (!is_own) pause();
  for (size_t i = 0; i < SIGNALS; i++)
    if (signals[i] == signal) sigaction(signal, &former[i], NULL);
  raise(signal);
}

void csoak_install(const char *given_part, const char *given_file) {
  bool is_installed = part;
  part = strdup(given_part);
  file = strdup(given_file);
  if (is_installed) return;
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
  for (size_t i = 0; i < SIGNALS; i++) sigaction(signals[i], &action, &former[i]);
}
