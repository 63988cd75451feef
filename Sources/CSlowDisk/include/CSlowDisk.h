// A slow disk beneath SQLite, for measurements. It is a VFS shim in C, because SQLite's virtual
// file system consists of C structs and function pointers (https://www.sqlite.org/vfs.html).
#ifndef CSLOWDISK_H
#define CSLOWDISK_H

/// The cost on top of the real disk, in nanoseconds of the calling thread.
typedef struct {
  /// The cost of each sync. The thread sleeps.
  long long sync;
  /// The cost of each KiB written. The thread spins, because no sleep is that short.
  long long write_per_kib;
} cslowdisk_profile;

/// Slows down every file that SQLite opens in this process from now on. A second call replaces the
/// profile. Returns SQLite's result code.
int cslowdisk_start(cslowdisk_profile profile);

/// Stops slowing down newly opened files. Files that are open stay slow. Returns SQLite's result
/// code.
int cslowdisk_stop(void);

/// Sleeps for the cost of one sync, for callers that sync without SQLite. Returns at once if no
/// profile is active.
void cslowdisk_wait_for_sync(void);

/// The number of syncs and of bytes written through the shim in this process.
long long cslowdisk_syncs(void);
long long cslowdisk_bytes_written(void);

#endif
