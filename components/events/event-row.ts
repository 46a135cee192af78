import { isMovingRun } from "#components/runs/run-row.ts";
import { shorten } from "#lib/base/shorten.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";

export type EventView = {
  /** The internal id, by which lists are sorted. */
  readonly id: string;
  /** The id that publishers and receivers use. */
  readonly publicId: string;
  readonly type: string;
  readonly recipient: string | null;
  readonly createdAt: Date;
  /** The start of `data`. */
  readonly dataStart: string;
  /** Catchment made it for one subscription. */
  readonly isTest: boolean;
  /** The reason why its data doesn't match the schema of its type. */
  readonly warning: string | null;
  readonly sends: readonly { readonly status: RunStatus; readonly count: number }[];
};

/** An event in a list, as it is sent to the browser: only what is shown, defaults left out. */
export type EventRow = {
  readonly id: string;
  /** Omitted: the same as `id`. */
  readonly publicId?: string;
  readonly type: string;
  readonly recipient?: string;
  readonly isTest?: true;
  readonly hasWarning?: true;
  readonly data: string;
  readonly sends: readonly (readonly [status: RunStatus, count: number])[];
  /** Unix milliseconds. */
  readonly at: number;
};

export function toEventRow(event: EventView): EventRow {
  const { id, publicId, type, recipient, dataStart, isTest, warning, sends, createdAt } = event;
  return {
    id,
    ...(publicId !== id && { publicId }),
    type,
    ...(recipient !== null && { recipient }),
    ...(isTest && { isTest }),
    ...(warning !== null && { hasWarning: true }),
    data: shorten(dataStart, maxDataChars),
    sends: sends.map(({ status, count }) => [status, count]),
    at: createdAt.getTime(),
  };
}

/** The number of characters fits on the widest line. */
const maxDataChars = 100;

/** True if its sends are about to change. */
export function isMovingEvent({ sends, createdAt }: EventView, nowMs: number): boolean {
  return sends.some(({ status }) => isMovingRun({ createdAt, nextAttemptAt: null, status }, nowMs));
}

export function eventPath(publicId: string): string {
  return `/events/${encodeURIComponent(publicId)}`;
}
