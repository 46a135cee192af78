import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";
import type { HookStatus } from "#lib/schema/receive/hook.ts";

type HookRowView = {
  readonly id: string;
  readonly name: string;
  readonly status: HookStatus;
  readonly provider: string;
  readonly providerName: string;
  readonly catchUrl: string;
  readonly isSecretMissing: boolean;
  /** The last 24 hours, oldest first. */
  readonly hours: readonly { readonly value: number; readonly bad: number }[];
  /** The number of deliveries in the last 24 hours. */
  readonly deliveries: number;
  readonly rejected: number;
  /** Runs of these deliveries. */
  readonly failed: number;
  readonly retrying: number;
  /**
   * A number from 0 to 1. Null if no call has ended. A call that fails and is retried counts as
   * failed.
   */
  readonly successRate: number | null;
  readonly last: { readonly status: DeliveryStatus; readonly receivedAt: Date } | null;
};

/** A hook in the list, as it is sent to the browser: only what is shown, defaults left out. */
export type HookRow = Pick<
  HookRowView,
  | "id"
  | "name"
  | "status"
  | "provider"
  | "providerName"
  | "catchUrl"
  | "deliveries"
  | "rejected"
  | "failed"
  | "retrying"
  | "successRate"
> & {
  readonly isRejecting?: true;
  /** All deliveries and bad ones of the last 24 hours, oldest first. */
  readonly hours: readonly number[];
  readonly badHours: readonly number[];
  readonly last?: DeliveryStatus;
  /** Unix milliseconds. */
  readonly lastAt?: number;
};

export function toHookRow({ hours, last, isSecretMissing, ...hook }: HookRowView): HookRow {
  const hasBad = hours.some(({ bad }) => bad > 0);
  return {
    ...hook,
    ...(isSecretMissing && hook.status === "active" && { isRejecting: true }),
    hours: hours.map(({ value }) => value),
    badHours: hasBad ? hours.map(({ bad }) => bad) : [],
    ...(last !== null && { last: last.status, lastAt: last.receivedAt.getTime() }),
  };
}
