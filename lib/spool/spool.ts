import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { SpooledBatch } from "./records/record.ts";

/** A batch and its size in the spool. */
export type SizedBatch = { readonly batch: SpooledBatch; readonly bytes: number };

/** The contents of the spool, for pages and metrics. */
export type SpoolState = {
  /** The deliveries of this process, at least. A file that an earlier one left is counted once it is read. */
  readonly deliveries: number;
  /** At least this many wait in the whole spool, including those of other processes. */
  readonly waiting: number;
  readonly bytes: number;
  readonly maxBytes: number;
  /** When the oldest one was acknowledged, in Unix milliseconds. Null: nothing waits. */
  readonly oldestAtMs: number | null;
  /** Deliveries that can't be stored, and wait for a person. */
  readonly setAside: number;
  /** The names of the first of them. None with a broker. */
  readonly asideNames: readonly string[];
};

export const maxAsideNames = 10;

/** Records to store before those that this process accepts now. */
export type Left = "something" | "nothing" | "unknown";

/** Identifies the spool in the database. */
export type SpoolIdentity = {
  /** The folder's own id, or that of the broker's queue. */
  readonly spool: string;
  /** The part of it that this process writes. */
  readonly writer: string;
  /** Its place, for people: this machine, or the broker's hosts. */
  readonly host: string;
  /** Parts of dead processes that it has taken over. */
  readonly takenOver: readonly string[];
};

/** The place where acknowledged deliveries wait while the database is away. Durable and in order. */
export type Spool = {
  readonly state: SpoolState;
  readonly identity: SpoolIdentity;
  readonly left: Left;
  /** True if there is nothing to drain now, and the listener will be called if that changes. */
  readonly isIdle: boolean;
  /** False: it is full, its disk is, or it can't be reached. */
  readonly hasRoom: boolean;
  /** Calls the listener whenever there may be batches to drain that this process didn't append. */
  listen(listener: () => void): void;
  /** Settles once the batch is durable. If it rejects, the batch isn't in the spool. */
  append(deliveries: readonly NewDelivery[]): Promise<void>;
  /**
   * The oldest batches, as many as fit into one statement. None: nothing waits, or another process
   * drains the spool.
   */
  oldest(): Promise<readonly SpooledBatch[]>;
  /** Removes the oldest `count` batches. */
  remove(count: number): Promise<void>;
  /** True if the operator has asked on this machine to set the delivery aside. */
  isToSetAside(deliveryId: string): boolean;
  /** Sets aside a delivery that can't be stored. Doing so twice is the same as once. */
  setAside(delivery: NewDelivery, reason: string): Promise<void>;
  /** Gives back the batches that this process can't store, so that another one may try. */
  giveBack(): Promise<void>;
  /** Updates the counts that other processes may have changed: waiting, and set aside. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** The limits of one statement. */
const statementLimits = { rows: 500, bytes: 8 * 1024 * 1024 };

/** The number of the oldest batches that fit into one statement, at least one if there is any. */
export function countFitting(batches: Iterable<SizedBatch>): number {
  let count = 0;
  let rows = 0;
  let bytes = 0;
  for (const sized of batches) {
    rows += sized.batch.deliveries.reduce((sum, { events = [] }) => sum + 1 + events.length, 0);
    bytes += sized.bytes;
    if (count > 0 && (rows > statementLimits.rows || bytes > statementLimits.bytes)) break;
    count += 1;
  }
  return count;
}

export class SpoolFullError extends Error {
  readonly code = "SPOOL_FULL";

  constructor() {
    super("The spool is full.");
  }
}
