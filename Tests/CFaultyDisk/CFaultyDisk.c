// SQLite ──▶ shim ──▶ the system's VFS ──▶ file
//             │ asks the hook, which may answer with an error
//
// The shim's file is a header followed by the real file, in one block of memory.
#include "CFaultyDisk.h"

#include <sqlite3.h>
#include <stddef.h>

static sqlite3_vfs shim;
static sqlite3_vfs *system_vfs;
static cfaultydisk_hook ask;

typedef struct {
  sqlite3_file base;
  // SQLite keeps a file's name until it is closed. Null for a temporary file.
  const char *path;
  sqlite3_file real[];  // the size that the system's VFS requests
} faulty_file;

static sqlite3_file *real_file(sqlite3_file *file) { return ((faulty_file *)file)->real; }

static int decide(
    sqlite3_file *file, cfaultydisk_kind kind, const void *bytes, long long count,
    long long offset) {
  const char *path = ((faulty_file *)file)->path;
  if (path == NULL) return SQLITE_OK;
  cfaultydisk_call call = {kind, path, bytes, count, offset};
  return ask(&call);
}

// File methods

// Defines a method that calls the real file's.
#define FORWARD(result, name, method, parameters, ...)              \
  static result faulty_##name parameters {                          \
    sqlite3_file *real = real_file(file);                           \
    return real->pMethods->method(real __VA_OPT__(, ) __VA_ARGS__); \
  }

FORWARD(int, size, xFileSize, (sqlite3_file *file, sqlite3_int64 *size), size)
FORWARD(int, unlock, xUnlock, (sqlite3_file *file, int level), level)
FORWARD(int, check_lock, xCheckReservedLock, (sqlite3_file *file, int *result), result)
FORWARD(int, control, xFileControl, (sqlite3_file *file, int operation, void *argument),
        operation, argument)
FORWARD(int, sector_size, xSectorSize, (sqlite3_file *file))
FORWARD(int, characteristics, xDeviceCharacteristics, (sqlite3_file *file))
FORWARD(void, shm_barrier, xShmBarrier, (sqlite3_file *file))
FORWARD(int, shm_unmap, xShmUnmap, (sqlite3_file *file, int delete), delete)

static int faulty_close(sqlite3_file *file) {
  int code = real_file(file)->pMethods->xClose(real_file(file));
  file->pMethods = NULL;
  return code;
}

static int faulty_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = decide(file, cfaultydisk_read, NULL, count, offset);
  if (code != SQLITE_OK) return code;
  return real_file(file)->pMethods->xRead(real_file(file), bytes, count, offset);
}

static int faulty_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int code = decide(file, cfaultydisk_write, bytes, count, offset);
  if (code != SQLITE_OK) return code;
  return real_file(file)->pMethods->xWrite(real_file(file), bytes, count, offset);
}

static int faulty_sync(sqlite3_file *file, int flags) {
  int code = decide(file, cfaultydisk_sync, NULL, 0, 0);
  return code != SQLITE_OK ? code : real_file(file)->pMethods->xSync(real_file(file), flags);
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = decide(file, cfaultydisk_truncate, NULL, 0, size);
  return code != SQLITE_OK ? code : real_file(file)->pMethods->xTruncate(real_file(file), size);
}

static int faulty_lock(sqlite3_file *file, int level) {
  int code = decide(file, cfaultydisk_lock, NULL, 0, 0);
  return code != SQLITE_OK ? code : real_file(file)->pMethods->xLock(real_file(file), level);
}

static int faulty_shm_map(
    sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  int code = decide(file, cfaultydisk_map_shared, NULL, 0, 0);
  if (code != SQLITE_OK) {
    *memory = NULL;
    return code;
  }
  return real_file(file)->pMethods->xShmMap(real_file(file), page, size, extend, memory);
}

static int faulty_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  int code = flags & SQLITE_SHM_LOCK ? decide(file, cfaultydisk_lock_shared, NULL, 0, 0) : 0;
  if (code != SQLITE_OK) return code;
  return real_file(file)->pMethods->xShmLock(real_file(file), offset, count, flags);
}

// Without the third version's methods, SQLite does not map database files into memory, which no
// hook could see.
static const sqlite3_io_methods methods = {
    2, faulty_close, faulty_read, faulty_write, faulty_truncate, faulty_sync, faulty_size,
    faulty_lock, faulty_unlock, faulty_check_lock, faulty_control, faulty_sector_size,
    faulty_characteristics, faulty_shm_map, faulty_shm_lock, faulty_shm_barrier, faulty_shm_unmap,
    NULL, NULL};

// The file system

static int faulty_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  (void)vfs;
  sqlite3_file *real = real_file(file);
  file->pMethods = NULL;
  real->pMethods = NULL;
  ((faulty_file *)file)->path = name;
  int code = decide(file, cfaultydisk_open, NULL, 0, 0);
  if (code != SQLITE_OK) return code;
  code = system_vfs->xOpen(system_vfs, name, real, flags, out_flags);
  if (real->pMethods != NULL) file->pMethods = &methods;
  return code;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *name, int syncs_folder) {
  (void)vfs;
  cfaultydisk_call call = {cfaultydisk_delete, name, NULL, syncs_folder, 0};
  int code = ask(&call);
  return code != SQLITE_OK ? code : system_vfs->xDelete(system_vfs, name, syncs_folder);
}

// Memory

static sqlite3_mem_methods system_memory;

static int has_memory(long long count) {
  cfaultydisk_call call = {cfaultydisk_allocate, NULL, NULL, count, 0};
  return ask(&call) == SQLITE_OK;
}

static void *faulty_malloc(int count) {
  return has_memory(count) ? system_memory.xMalloc(count) : NULL;
}

static void *faulty_realloc(void *block, int count) {
  return has_memory(count) ? system_memory.xRealloc(block, count) : NULL;
}

// SQLite refuses if it was used before.
static void install_memory(void) {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory) != SQLITE_OK) return;
  sqlite3_mem_methods memory = system_memory;
  memory.xMalloc = faulty_malloc;
  memory.xRealloc = faulty_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
}

int cfaultydisk_install(cfaultydisk_hook hook) {
  ask = hook;
  if (system_vfs == NULL) {
    install_memory();
    system_vfs = sqlite3_vfs_find(NULL);
    if (system_vfs == NULL) return SQLITE_ERROR;
    // The system's functions for names, libraries, time and randomness serve the shim unchanged.
    shim = *system_vfs;
    shim.zName = "topobench-faulty-disk";
    shim.szOsFile = (int)sizeof(faulty_file) + system_vfs->szOsFile;
    shim.xOpen = faulty_open;
    shim.xDelete = faulty_delete;
    shim.pNext = NULL;
  }
  return sqlite3_vfs_register(&shim, 1);
}
