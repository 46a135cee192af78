/** The lease of a worker. Runs are stored with it as if the worker had claimed them. */
export type StoreLease<Delivery> = {
  readonly workerId: number;
  readonly leaseId: string;
  readonly leaseMs: number;
  /** The actions whose runs may be leased. */
  readonly targetIds: readonly string[];
  /** True if the runs of this delivery are leased. */
  isLeased(delivery: Delivery): boolean;
};

export const noLease = {
  workerId: null,
  leaseId: null,
  leaseMs: null,
  targetIds: [],
  isLeased: () => false,
} as const;

/** A duplicate, or an action of a hook. Its version is null if its runs can't be leased. */
export type StoredRow =
  | { readonly id: string; readonly duplicateOf: string }
  | {
      readonly id: string;
      readonly duplicateOf: null;
      readonly hookId: string;
      readonly ordinal: number;
      readonly version: string | null;
    };

/** A run that was stored with a lease, and the data that its call needs. */
export type LeasedRun<Delivery> = {
  readonly id: string;
  readonly delivery: Delivery;
  readonly targetId: string;
  /** Changes whenever the action or its hook does, as in a claim. */
  readonly targetVersion: string;
};

/**
 * The runs that were leased.
 *
 * @param accepted the deliveries that got runs
 */
export function readLeasedRuns<Delivery extends { readonly id: string; readonly hookId: string }>(
  accepted: readonly Delivery[],
  rows: readonly StoredRow[],
  lease: StoreLease<Delivery>,
): { readonly leased: readonly LeasedRun<Delivery>[]; readonly hasDue: boolean } {
  const targets = rows.filter((row) => row.duplicateOf === null);
  const byHook = Map.groupBy(targets, ({ hookId }) => hookId);
  const leased: LeasedRun<Delivery>[] = [];
  let hasDue = false;
  for (const delivery of accepted) {
    const isLeased = lease.isLeased(delivery);
    for (const { id: targetId, ordinal, version } of byHook.get(delivery.hookId) ?? []) {
      if (!isLeased || version === null) hasDue = true;
      else {
        const id = toRunId(delivery.id, ordinal);
        leased.push({ id, delivery, targetId, targetVersion: version });
      }
    }
  }
  return { leased, hasDue };
}

/** Does the same as `run_id` in the database: replaces bytes 8 and 9 of the delivery's id. */
export function toRunId(deliveryId: string, ordinal: number): string {
  return `${deliveryId.slice(0, 19)}${(0x8000 + ordinal).toString(16)}${deliveryId.slice(23)}`;
}
