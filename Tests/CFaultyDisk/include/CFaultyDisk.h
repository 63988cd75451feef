// A VFS shim for tests, in C because SQLite's virtual file system consists of C structs and
// function pointers (https://www.sqlite.org/vfs.html).
#ifndef CFAULTYDISK_H
#define CFAULTYDISK_H

typedef enum {
  cfaultydisk_read,
  cfaultydisk_write,
  cfaultydisk_sync,
  cfaultydisk_truncate,
  cfaultydisk_open,
  cfaultydisk_delete,
  /// Of the database file.
  cfaultydisk_lock,
  cfaultydisk_map_shared,
  /// Of the shared memory. Unlocking is not among the calls: nobody can react to its errors.
  cfaultydisk_lock_shared,
  /// Of SQLite's memory. It has no path, and any error means that there is none.
  cfaultydisk_allocate,
} cfaultydisk_kind;

typedef struct {
  cfaultydisk_kind kind;
  const char *path;
  /// The content of a write, else null.
  const void *bytes;
  /// Of a read or a write; 1 if a deletion is to sync the folder.
  long long count;
  /// Of a read or a write; the new size if the file is truncated.
  long long offset;
} cfaultydisk_call;

/// Decides on a call before it is carried out. Any other result than 0 (SQLITE_OK) is returned to
/// SQLite instead.
typedef int (*cfaultydisk_hook)(const cfaultydisk_call *call);

/// Files that SQLite opens in this process from now on ask the hook. So do allocations, if SQLite
/// was not used before. Returns SQLite's result code.
int cfaultydisk_install(cfaultydisk_hook hook);

#endif
