// A VFS shim for measurements, in C because SQLite's virtual file system consists of C structs and
// function pointers (https://www.sqlite.org/vfs.html).
#ifndef CSLOWDISK_H
#define CSLOWDISK_H

/// Nanoseconds of the calling thread, on top of the real disk.
typedef struct {
  /// For each sync. The thread sleeps.
  long long sync;
  /// For each KiB written. The thread spins, because no sleep is that short.
  long long write_per_kib;
} cslowdisk_profile;

/// Slows down files that SQLite opens in this process from now on, and replaces an earlier profile.
/// Returns SQLite's result code.
int cslowdisk_start(cslowdisk_profile profile);

/// Files that are open stay slow. Returns SQLite's result code.
int cslowdisk_stop(void);

/// Sleeps for the cost of one sync, for syncs without SQLite, if a profile is active.
void cslowdisk_wait_for_sync(void);

/// What this process has written through the shim.
long long cslowdisk_syncs(void);
long long cslowdisk_bytes_written(void);

#endif
