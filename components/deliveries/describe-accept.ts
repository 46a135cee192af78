export type AcceptCounts = {
  readonly changedCount: number;
  readonly duplicateCount: number;
  readonly rejectedCount: number;
  readonly notStoredCount: number;
};

/** Writes "Accept 1,243 rejected deliveries". Null: too many to count. */
export function describeAccept(total: number | null): string {
  if (total === null) return "Accept all rejected deliveries that match";
  return `Accept ${total.toLocaleString("en")} rejected ${total === 1 ? "delivery" : "deliveries"}`;
}

/** Writes "12 accepted, 1 duplicate, 3 still rejected". Zeros are left out. */
export function describeAcceptCounts(counts: AcceptCounts): string {
  const { changedCount, duplicateCount, rejectedCount, notStoredCount } = counts;
  const parts: readonly (readonly [number, string])[] = [
    [duplicateCount, duplicateCount === 1 ? "duplicate" : "duplicates"],
    [rejectedCount, "still rejected"],
    [notStoredCount, "can't be checked: not fully stored"],
  ];
  const others = parts.filter(([count]) => count > 0);
  return [[changedCount, "accepted"] as const, ...others]
    .map(([count, words]) => `${count.toLocaleString("en")} ${words}`)
    .join(", ");
}
