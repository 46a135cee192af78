export type PostgresSettings = Readonly<Record<string, string>>;

/**
 * Settings of the embedded PostgreSQL, passed on its command line so that no file can lose them.
 * `min_wal_size` keeps that much write-ahead log recycled: a PostgreSQL that has to create segments
 * under load shows 40 ms at the 99th percentile instead of 4 to 7 ms.
 */
export const embeddedSettings = {
  listen_addresses: "127.0.0.1",
  // An acknowledged delivery is on disk. These three are checked at every start, also for an
  // external database.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: "256MB",
  min_wal_size: "1GB",
  max_wal_size: "3GB",
  checkpoint_timeout: "15min",
  // Compressing the pages logged after a checkpoint costs more CPU time than writing them.
  wal_compression: "off",
  // Costs a system call per statement, only for the `ps` output.
  update_process_title: "off",
  // Compiling a statement takes longer than any of ours runs.
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  // Never log the text of a failed statement, which might contain customer data.
  log_min_error_statement: "panic",
} as const satisfies PostgresSettings;

export function toFlags(settings: PostgresSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
