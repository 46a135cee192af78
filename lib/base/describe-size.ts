const units = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** Writes "450 bytes", "1.2 KiB", or "10 MiB": the one way to write sizes for people. */
export function describeSize(bytes: number): string {
  if (bytes === 1) return "1 byte";
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const size = bytes / 1024 ** power;
  return `${size >= 10 ? Math.round(size) : Math.round(size * 10) / 10} ${units[power]}`;
}
