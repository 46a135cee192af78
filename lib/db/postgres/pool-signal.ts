import { Signal } from "#lib/base/signals.ts";

/** The connections of a pool, read at any time. */
export type OpenedPool = {
  readonly name: string;
  readonly counts: {
    readonly totalCount: number;
    readonly idleCount: number;
    /** Statements that wait for a connection. */
    readonly waitingCount: number;
  };
};

export const poolOpened = new Signal<OpenedPool>("pool.opened");
