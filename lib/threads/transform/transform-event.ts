import { timeOfId } from "#lib/base/ids.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { type EventView, toEventDelivery } from "#lib/core/sending/filter-input.ts";
import { readTransformed } from "#lib/core/sending/transformed-body.ts";
import type { Threads } from "../thread-pool.ts";
import { runTransform } from "./run-transform.ts";
import type { TransformTasks } from "./transform-task.ts";

type TransformFault = {
  readonly ok: false;
  /** It has not run, and may later. */
  readonly isBusy: boolean;
  /** `transform_` and the code of its error. */
  readonly code: string;
  readonly message: string;
  /** Where it failed in the code, from 1. Null: that isn't known. */
  readonly place: { readonly line: number; readonly column: number } | null;
};

export type TransformedData = { readonly ok: true; readonly json: string } | TransformFault;

type Code = { readonly accountId: string; readonly source: string };

/** Makes other data of an event. Its code reads the event as its payload, and returns the data. */
export async function transformEvent(
  threads: Threads<TransformTasks>,
  event: EventView,
  { accountId, source }: Code,
): Promise<TransformedData> {
  const input = { source, steps: {}, nowMs: timeOfId(event.id), seed: event.publicId };
  const result = await runTransform(
    threads,
    { ...input, ...toEventDelivery(event) },
    { accountId },
  );
  if (!result.ok) {
    const { code, message, line, column } = result;
    const place = line === null || column === null ? null : { line, column };
    return { ...toFault(code, message), isBusy: code === "too_busy", place };
  }
  const written = stringifyExactJson(result.value);
  if (written.ok) return { ok: true, json: written.text };
  return toFault("not_json", `Its result can't be written: ${written.message}.`);
}

export type TransformedBody =
  | { readonly ok: true; readonly body: string }
  /** It returned null: nothing is sent. */
  | { readonly ok: true; readonly body: null }
  | TransformFault;

/**
 * Makes the body that a subscription's receiver gets of an event. The same event and code always
 * give the same bytes: the clock of the code is the time of the event, and its random numbers follow
 * from the event's id.
 */
export async function transformBody(
  threads: Threads<TransformTasks>,
  event: EventView,
  code: Code,
): Promise<TransformedBody> {
  const made = await transformEvent(threads, event, code);
  if (!made.ok) return made;
  const read = readTransformed(made.json);
  return read.ok ? read : toFault("not_json", read.message);
}

/** The sentence of a fault, with its place in the code. */
export function describeFault({
  message,
  place,
}: Pick<TransformFault, "message" | "place">): string {
  if (place === null) return `The transform failed: ${message}`;
  return `The transform failed in line ${place.line}, column ${place.column}: ${message}`;
}

function toFault(code: string, message: string): TransformFault {
  return { ok: false, isBusy: false, code: `transform_${code}`, message, place: null };
}
