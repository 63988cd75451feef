// The jobs of Swift's tasks run on threads of the trial. Each job gets a thread at once: no width
// of a pool hides an order.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "Scheduler.h"

#define SWIFT __attribute__((swiftcall))

typedef SWIFT void (*original)(void *job);
typedef SWIFT void (*hook)(void *job, original original);
// The executor is a pair of words, both 0 for the global one.
static SWIFT void (*run_job)(void *job, void *executor, void *witness);

static void *serve_jobs(void *unused) {
  while (!sched_is_ending()) {
    void *job = self->job;
    self->job = NULL;
    if (job) run_job(job, NULL, NULL);
    self->state = has_no_job;
    sched_wait();
  }
  return unused;
}

static void start_job(void *job) {
  managed *thread = sched_idle_thread();
  if (thread) {
    thread->job = job;
    thread->state = can_run;
    return;
  }
  thread = sched_new_thread(serve_jobs, NULL);
  thread->job = job;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (sched_start(thread, &attributes) != 0) abort();
  pthread_attr_destroy(&attributes);
}

static SWIFT void enqueue(void *job, original enqueue_globally) {
  if (!self) return enqueue_globally(job);
  start_job(job);
  sched_choose(NULL);
}

void jobs_install(void) {
  run_job = dlsym(RTLD_DEFAULT, "swift_job_run");
  hook *enqueue_hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
  if (!run_job || !enqueue_hook) abort();
  *enqueue_hook = enqueue;
}
