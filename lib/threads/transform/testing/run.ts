import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { ThreadPool } from "../../thread-pool.ts";
import { runTransform } from "../run-transform.ts";
import type { TransformTasks } from "../transform-task.ts";

/** One thread, so that runs follow each other in it. */
export const threads = new ThreadPool<TransformTasks>({
  script: new URL("transform-thread.ts", import.meta.url),
  maxThreads: 1,
});

export const nowMs = Date.UTC(2026, 10, 22, 12);
export const account = { accountId: "a" };

export function run(
  source: string,
  body: string | object = {},
  steps: JsonValue = {},
  pool: typeof threads = threads,
) {
  const isSent = typeof body === "string" || body instanceof Uint8Array;
  const bytes = Buffer.from(isSent ? body : JSON.stringify(body));
  const input = {
    source,
    hook: { id: "h", name: "Shop", payloadField: null },
    steps,
    nowMs,
    seed: "run-1/step-1",
  };
  const delivery = {
    id: "d",
    receivedAtMs: nowMs,
    method: "POST",
    path: "/eu",
    query: "a=1",
    headers: [["X-Topic", "orders"]] as const,
    contentType: "application/json",
    eventId: "evt_1",
    eventType: null,
    isSample: false,
    body: bytes,
  };
  return runTransform(pool, { ...input, delivery }, account);
}

/** The value of an expression, or the error. */
export async function value(
  expression: string,
  body: string | object = {},
  steps: JsonValue = {},
): Promise<unknown> {
  const result = await run(`export default (delivery, steps) => (${expression})`, body, steps);
  return result.ok ? result.value : result;
}
