export const ratePeriods = [
  ["1", "second"],
  ["60", "minute"],
  ["3600", "hour"],
  ["86400", "day"],
] as const;

type Rate = { readonly count: number | string; readonly perSeconds: number | string };

/** "100 per minute", "5 per 20 seconds". */
export function describeRate({ count, perSeconds }: Rate): string {
  const known = ratePeriods.find(([seconds]) => seconds === String(perSeconds));
  return `${count} per ${known?.[1] ?? `${perSeconds} seconds`}`;
}
