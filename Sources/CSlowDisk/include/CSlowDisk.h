// A disk beneath SQLite that is as slow as one wishes: a VFS shim, since SQLite's virtual file system is
// an interface of C structs and function pointers (https://www.sqlite.org/vfs.html).
#ifndef CSLOWDISK_H
#define CSLOWDISK_H

/// What the disk costs on top of the real one. All in nanoseconds of the calling thread's time.
typedef struct {
  /// Each sync: the thread sleeps.
  long long sync;
  /// Each KiB that is written: the thread spins, since no sleep is that short.
  long long write_per_kib;
} cslowdisk_profile;

/// Makes every file that SQLite opens from now on, in this process, as slow as the profile says. Only
/// one profile is in force at a time. Returns SQLite's result code.
int cslowdisk_start(cslowdisk_profile profile);

/// Files that are opened from now on are as quick as the system's. Those that are open stay slow.
/// Returns SQLite's result code.
int cslowdisk_stop(void);

/// What one sync costs on top, for those who sync without SQLite. Nothing if no profile is in force.
void cslowdisk_wait_for_sync(void);

/// How often SQLite has synced and how many bytes it has written through the shim, in this process.
long long cslowdisk_syncs(void);
long long cslowdisk_bytes_written(void);

#endif
