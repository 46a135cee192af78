import type { BackupManifest } from "#server/backup/format.ts";

export function describeAmount({ tables }: BackupManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows.toLocaleString("en-US")} rows of ${tables.length} tables`;
}
