// SQLite ──▶ shim ──▶ the system's VFS ──▶ file
//             │ xWrite: a cost per KiB         xSync: a cost per sync
//
// The shim's file is a header followed by the real file, in one block of memory. Every method calls
// the real one. Two methods then take additional time on the calling thread.
#include "CSlowDisk.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static sqlite3_vfs shim;
static sqlite3_vfs *system_vfs;
static atomic_llong sync_cost, write_cost;
static atomic_llong syncs, bytes_written;
static atomic_int is_running;

typedef struct {
  sqlite3_file base;
  sqlite3_file real[];  // the size that the system's VFS requests
} slow_file;

static sqlite3_file *real_file(sqlite3_file *file) { return ((slow_file *)file)->real; }

// Time

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void spin(long long nanoseconds) {
  long long end = now() + nanoseconds;
  while (now() < end) {
  }
}

static void sleep_for(long long nanoseconds) {
  struct timespec left = {nanoseconds / 1000000000LL, nanoseconds % 1000000000LL};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

void cslowdisk_wait_for_sync(void) {
  long long cost = atomic_load(&sync_cost);
  if (atomic_load(&is_running) && cost > 0) sleep_for(cost);
}

// File methods

// Defines a method that calls the real file's.
#define FORWARD(result, name, method, parameters, ...)              \
  static result slow_##name parameters {                            \
    sqlite3_file *real = real_file(file);                           \
    return real->pMethods->method(real __VA_OPT__(, ) __VA_ARGS__); \
  }

FORWARD(int, read, xRead, (sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset),
        bytes, count, offset)
FORWARD(int, truncate, xTruncate, (sqlite3_file *file, sqlite3_int64 size), size)
FORWARD(int, size, xFileSize, (sqlite3_file *file, sqlite3_int64 *size), size)
FORWARD(int, lock, xLock, (sqlite3_file *file, int level), level)
FORWARD(int, unlock, xUnlock, (sqlite3_file *file, int level), level)
FORWARD(int, check_lock, xCheckReservedLock, (sqlite3_file *file, int *result), result)
FORWARD(int, sector_size, xSectorSize, (sqlite3_file *file))
FORWARD(int, characteristics, xDeviceCharacteristics, (sqlite3_file *file))
FORWARD(int, shm_map, xShmMap,
        (sqlite3_file *file, int page, int size, int extend, void volatile **memory),
        page, size, extend, memory)
FORWARD(int, shm_lock, xShmLock, (sqlite3_file *file, int offset, int count, int flags),
        offset, count, flags)
FORWARD(void, shm_barrier, xShmBarrier, (sqlite3_file *file))
FORWARD(int, shm_unmap, xShmUnmap, (sqlite3_file *file, int delete), delete)
FORWARD(int, fetch, xFetch, (sqlite3_file *file, sqlite3_int64 offset, int count, void **bytes),
        offset, count, bytes)
FORWARD(int, unfetch, xUnfetch, (sqlite3_file *file, sqlite3_int64 offset, void *bytes),
        offset, bytes)

static int slow_close(sqlite3_file *file) {
  int code = real_file(file)->pMethods->xClose(real_file(file));
  file->pMethods = NULL;
  return code;
}

static int slow_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int code = real_file(file)->pMethods->xWrite(real_file(file), bytes, count, offset);
  atomic_fetch_add(&bytes_written, count);
  spin(atomic_load(&write_cost) * count / 1024);
  return code;
}

static int slow_sync(sqlite3_file *file, int flags) {
  int code = real_file(file)->pMethods->xSync(real_file(file), flags);
  atomic_fetch_add(&syncs, 1);
  sleep_for(atomic_load(&sync_cost));
  return code;
}

static int slow_control(sqlite3_file *file, int operation, void *argument) {
  int code = real_file(file)->pMethods->xFileControl(real_file(file), operation, argument);
  // Reports both names, like other shims: "topobench-slow-disk/unix".
  if (operation == SQLITE_FCNTL_VFSNAME && code == SQLITE_OK) {
    char **name = argument;
    *name = sqlite3_mprintf("%s/%z", shim.zName, *name);
  }
  return code;
}

// One table for each version of a real file's methods. SQLite checks the version before it calls
// newer methods.
#define METHODS(version)                                                                        \
  {                                                                                             \
    version, slow_close, slow_read, slow_write, slow_truncate, slow_sync, slow_size, slow_lock, \
        slow_unlock, slow_check_lock, slow_control, slow_sector_size, slow_characteristics,     \
        slow_shm_map, slow_shm_lock, slow_shm_barrier, slow_shm_unmap, slow_fetch, slow_unfetch \
  }
static const sqlite3_io_methods methods[] = {METHODS(1), METHODS(2), METHODS(3)};

// The file system

static int slow_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  (void)vfs;
  sqlite3_file *real = real_file(file);
  file->pMethods = NULL;
  real->pMethods = NULL;
  int code = system_vfs->xOpen(system_vfs, name, real, flags, out_flags);
  if (real->pMethods != NULL) {
    int version = real->pMethods->iVersion;
    file->pMethods = &methods[(version > 3 ? 3 : version) - 1];
  }
  return code;
}

int cslowdisk_start(cslowdisk_profile profile) {
  if (system_vfs == NULL) {
    system_vfs = sqlite3_vfs_find(NULL);
    if (system_vfs == NULL) return SQLITE_ERROR;
    // The system's functions for names, libraries, time and randomness serve the shim unchanged.
    // They use only the copied name and data of the VFS.
    shim = *system_vfs;
    shim.zName = "topobench-slow-disk";
    shim.szOsFile = (int)sizeof(slow_file) + system_vfs->szOsFile;
    shim.xOpen = slow_open;
    shim.pNext = NULL;
  }
  atomic_store(&sync_cost, profile.sync);
  atomic_store(&write_cost, profile.write_per_kib);
  atomic_store(&is_running, 1);
  return sqlite3_vfs_register(&shim, 1);
}

int cslowdisk_stop(void) {
  atomic_store(&is_running, 0);
  if (system_vfs == NULL) return SQLITE_OK;
  return sqlite3_vfs_register(system_vfs, 1);
}

long long cslowdisk_syncs(void) { return atomic_load(&syncs); }
long long cslowdisk_bytes_written(void) { return atomic_load(&bytes_written); }
