import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";

/** The deliveries of one batch, in the order in which they were accepted. */
export type SpooledBatch = {
  /** When they were acknowledged, in Unix milliseconds. */
  readonly atMs: number;
  readonly deliveries: readonly NewDelivery[];
};

/** The deliveries that wait, for pages and metrics. */
export type SpoolState = {
  readonly deliveries: number;
  readonly bytes: number;
  readonly maxBytes: number;
  /** When the oldest one was acknowledged, in Unix milliseconds. Null: nothing waits. */
  readonly oldestAtMs: number | null;
  /** Deliveries that can't be stored, and wait for a person. */
  readonly setAside: number;
};

/** Which spool it is, for the database. */
export type SpoolIdentity = {
  /** The folder's own id. */
  readonly spool: string;
  /** The part of the folder that this process writes. */
  readonly writer: string;
  /** Parts of dead processes that it has taken over. */
  readonly takenOver: readonly string[];
};

/** The place where acknowledged deliveries wait while the database is away. Durable and in order. */
export type Spool = {
  readonly state: SpoolState;
  readonly identity: SpoolIdentity;
  /** False: it is full, or its disk is. */
  readonly hasRoom: boolean;
  /** Settles once the batch is durable. Rejects if it isn't, and the batch is then not in it. */
  append(deliveries: readonly NewDelivery[]): Promise<void>;
  /** The oldest batches, as many as fit into one statement, and at least one if any waits. */
  oldest(): Promise<readonly SpooledBatch[]>;
  /** Removes the oldest `count` batches. */
  remove(count: number): Promise<void>;
  /** Keeps one delivery beside the others, since it can't be stored. Twice is the same as once. */
  setAside(delivery: NewDelivery): Promise<void>;
  close(): Promise<void>;
};

/** The limits of what is read at once. */
export const statementLimits = { rows: 500, bytes: 8 * 1024 * 1024 };

export class SpoolFullError extends Error {
  constructor() {
    super("The spool is full.");
  }
}
