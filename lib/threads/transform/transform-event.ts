import { timeOfId } from "#lib/base/ids.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { type EventView, toEventDelivery } from "#lib/core/sending/filter-input.ts";
import type { Threads } from "../thread-pool.ts";
import { runTransform } from "./run-transform.ts";
import type { TransformTasks } from "./transform-task.ts";

export type TransformedData =
  | { readonly ok: true; readonly json: string }
  /** `isBusy`: it has not run, and may later. */
  | { readonly ok: false; readonly isBusy: boolean; readonly message: string };

/** Makes other data of an event. Its code reads the event as its payload, and returns the data. */
export async function transformEvent(
  threads: Threads<TransformTasks>,
  event: EventView,
  { accountId, source }: { readonly accountId: string; readonly source: string },
): Promise<TransformedData> {
  const input = { source, steps: {}, nowMs: timeOfId(event.id), seed: event.publicId };
  const result = await runTransform(
    threads,
    { ...input, ...toEventDelivery(event) },
    { accountId },
  );
  if (!result.ok) return { ok: false, isBusy: result.code === "too_busy", message: result.message };
  const written = stringifyExactJson(result.value);
  if (written.ok) return { ok: true, json: written.text };
  return { ok: false, isBusy: false, message: `Its result can't be written: ${written.message}.` };
}
