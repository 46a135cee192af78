import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";

/** The deliveries of one batch, in the order in which they were accepted. */
export type SpooledBatch = {
  /** When they were acknowledged, in Unix milliseconds. */
  readonly atMs: number;
  readonly deliveries: readonly NewDelivery[];
};

/** A batch with its size where it waits. */
export type SizedBatch = { readonly batch: SpooledBatch; readonly bytes: number };

/** What waits, for pages and metrics. */
export type SpoolState = {
  /** The deliveries of this process. */
  readonly deliveries: number;
  /** At least as many wait in the whole spool. More, if other processes put some into it. */
  readonly waiting: number;
  readonly bytes: number;
  readonly maxBytes: number;
  /** When the oldest one was acknowledged, in Unix milliseconds. Null: nothing waits. */
  readonly oldestAtMs: number | null;
  /** Deliveries that can't be stored, and wait for a person. */
  readonly setAside: number;
};

/** Which spool it is, for the database. */
export type SpoolIdentity = {
  /** The folder's own id, or that of the broker's queue. */
  readonly spool: string;
  /** The part of it that this process writes. */
  readonly writer: string;
  /** Where it is, for people: this machine, or the broker's hosts. */
  readonly host: string;
  /** Parts of dead processes that it has taken over. */
  readonly takenOver: readonly string[];
};

/** The place where acknowledged deliveries wait while the database is away. Durable and in order. */
export type Spool = {
  readonly state: SpoolState;
  readonly identity: SpoolIdentity;
  /** True if nothing waits that has to be stored before what this process accepts now. */
  readonly isEmpty: boolean;
  /** True if there is nothing to drain now, and the listener will be told of more. */
  readonly isIdle: boolean;
  /** False: it is full, its disk is, or it can't be reached. */
  readonly hasRoom: boolean;
  /** The listener is called whenever there may be something to drain that this process didn't append. */
  listen(listener: () => void): void;
  /** Settles once the batch is durable. Rejects if it isn't, and the batch is then not in it. */
  append(deliveries: readonly NewDelivery[]): Promise<void>;
  /**
   * The oldest batches, as many as fit into one statement. None: nothing waits, or another process
   * drains it.
   */
  oldest(): Promise<readonly SpooledBatch[]>;
  /** Removes the oldest `count` batches. */
  remove(count: number): Promise<void>;
  /** Keeps one delivery beside the others, since it can't be stored. Twice is the same as once. */
  setAside(delivery: NewDelivery, reason: string): Promise<void>;
  /** This process can't store what it has read, so that another one may try. */
  giveBack(): Promise<void>;
  /** Looks again at what others may have changed: what waits, and what is set aside. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** The limits of what is read at once. */
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
