import type { BulkKind } from "#lib/schema/act/run-states.ts";

type Bulk = {
  readonly kind: BulkKind;
  readonly status: string;
  readonly actionName: string | null;
};

/** Writes "Retry 1,243 failed runs of “Send receipt”". Null: too many to count. */
export function describeBulk({ kind, status, actionName }: Bulk, total: number | null): string {
  const verb = kind === "retry" ? "Retry" : "Cancel";
  const many = total === null ? "more than 100,000" : total.toLocaleString("en");
  const of = actionName === null ? "" : ` of “${actionName}”`;
  return `${verb} ${many} ${status} ${total === 1 ? "run" : "runs"}${of}`;
}

type Replay = { readonly onlyMissing: boolean; readonly actionName: string | null };

/** Writes "Replay 1,243 deliveries with “Send receipt”". */
export function describeReplay({ onlyMissing, actionName }: Replay, total: number | null): string {
  const many = total === null ? "more than 100,000" : total.toLocaleString("en");
  const of = actionName === null ? "" : ` with “${actionName}”`;
  const which = onlyMissing ? "past" : "all";
  return `Replay ${many} ${which} ${total === 1 ? "delivery" : "deliveries"}${of}`;
}
