export type PostgresSettings = Readonly<Record<string, string>>;

/**
 * Settings of the embedded PostgreSQL, given on its command line so that they can't be lost in a file.
 * `min_wal_size` keeps that much write-ahead log recycled: a PostgreSQL that must create segments under load shows
 * 40 ms at the 99th percentile instead of 4 to 7 ms.
 */
export const embeddedSettings = {
  listen_addresses: "127.0.0.1",
  // An acknowledged delivery is on the disk. These three are checked at every start, also of an outside database.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: "256MB",
  min_wal_size: "1GB",
  max_wal_size: "3GB",
  checkpoint_timeout: "15min",
  wal_compression: "on",
  // Costs a system call for every statement, for a word in `ps`.
  update_process_title: "off",
  // Compiling a statement takes longer than any of ours runs.
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  // A failed statement is never logged with its text, which might hold what people sent us.
  log_min_error_statement: "panic",
} as const satisfies PostgresSettings;

export function toFlags(settings: PostgresSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
