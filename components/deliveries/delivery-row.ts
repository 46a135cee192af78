import type { RowMarks } from "#components/lists/selection/selection.tsx";
import { isMovingRun } from "#components/runs/run-row.ts";
import { shorten } from "#lib/base/shorten.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import { type DeliveryStatus, isReplayable } from "#lib/schema/receive/delivery-status.ts";

/** A name and its value. */
type ShownValue = readonly [name: string, value: string];

/** A payload path that a list shows as a column, such as `data.object.id`, with its short title. */
export type Column = {
  readonly path: string;
  readonly title: string;
  /** In pixels. Null: automatic. */
  readonly width: number | null;
};

/** Columns as parameters of the list's URL. */
export function toColumnParams(columns: readonly Column[]) {
  const widths = columns.map(({ width }) => width ?? "");
  return {
    columns: columns.map(({ path }) => path).join(","),
    widths: widths.some(Boolean) ? widths.join() : "",
  };
}

export type DeliveryView = {
  readonly id: string;
  readonly hookName: string;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly receivedAt: Date;
  readonly method: string;
  /** Path and query after the catch URL. Empty if it was called without them. */
  readonly target: string;
  readonly eventType: string | null;
  readonly contentType: string | null;
  /** The size in bytes. */
  readonly bodySize: number;
  /** Null: the body is empty, or isn't text. */
  readonly bodyStart: string | null;
  /** The values by which it differs from the other rows. Empty: its body isn't read. */
  readonly differs: readonly ShownValue[];
  /** The values of the chosen payload paths. Null: it has none. */
  readonly cells: readonly (string | null)[];
  readonly verificationOutcome: string;
  readonly isSample: boolean;
  readonly runs: readonly { readonly status: RunStatus; readonly count: number }[];
};

/** A delivery in a list, as it is sent to the browser: only what is shown, defaults left out. */
export type DeliveryRow = {
  readonly id: string;
  readonly status: DeliveryStatus;
  /** Omitted: verified. */
  readonly outcome?: string;
  readonly isSample?: true;
  /** Omitted: POST. */
  readonly method?: string;
  /** The event type or else the path. */
  readonly name?: string;
  readonly reason?: string;
  /** Values of the payload that differ between rows, or else the start of the body. */
  readonly body: readonly ShownValue[] | string;
  /** The values of the chosen payload paths; omitted if none is chosen. */
  readonly cells?: readonly string[];
  readonly hook?: string;
  readonly runs: readonly (readonly [status: RunStatus, count: number])[];
  /** The commands that it takes if it is selected. */
  readonly marks: RowMarks;
  /** Unix milliseconds. */
  readonly at: number;
};

/** @param isOneHook rows don't show the hook */
export function toDeliveryRow(delivery: DeliveryView, isOneHook: boolean): DeliveryRow {
  const { id, status, method, target, eventType, reason, hookName, verificationOutcome } = delivery;
  const name = eventType ?? (target === "" ? null : target);
  return {
    id,
    status,
    ...(verificationOutcome !== "verified" && { outcome: verificationOutcome }),
    ...(delivery.isSample && { isSample: true }),
    ...(method !== "POST" && { method }),
    ...(name !== null && { name }),
    ...(status === "rejected" && reason !== null && { reason }),
    ...(delivery.cells.length === 0
      ? { body: describeBody(delivery) }
      : { body: "", cells: delivery.cells.map((value) => shorten(value ?? "", maxBodyChars)) }),
    ...(!isOneHook && { hook: hookName }),
    runs: delivery.runs.map(({ status: state, count }) => [state, count]),
    marks: listMarks(delivery),
    at: delivery.receivedAt.getTime(),
  };
}

function listMarks({ status, runs }: DeliveryView): RowMarks {
  return [
    ...(runs.some((run) => run.status === "failed") ? ["retry"] : []),
    ...(isReplayable(status) ? ["replay"] : []),
    ...(status === "rejected" ? ["accept"] : []),
  ];
}

/** The number of characters fits on the widest line. */
const maxBodyChars = 120;
const maxValueChars = 40;

function describeBody(delivery: DeliveryView): DeliveryRow["body"] {
  const { bodyStart, bodySize, contentType, differs } = delivery;
  if (differs.length > 0)
    return differs.map(([name, value]) => [
      shorten(name, maxValueChars),
      shorten(value, maxValueChars),
    ]);
  return bodySize === 0 ? "No body" : shorten(bodyStart ?? contentType ?? "Binary", maxBodyChars);
}

/** True if its runs are about to change. */
export function isMovingDelivery({ runs, receivedAt }: DeliveryView, nowMs: number): boolean {
  const run = { createdAt: receivedAt, nextAttemptAt: null };
  return runs.some(({ status }) => isMovingRun({ ...run, status }, nowMs));
}
