import type { ImportedTypes } from "#lib/core/sender/read-openapi.ts";
import { AppError, invalidField } from "#lib/errors.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { ThreadOutcome } from "#lib/threads/thread-pool.ts";
import { webThreads } from "./web-threads.ts";

const limitsMs = { run: 2_000 };
const maxWaitMs = 10_000;

/** Throws `invalid_request` if the schema can't be compiled, or takes too long to. */
export async function requireUsableSchema(accountId: string, schema: JsonValue): Promise<void> {
  if (schema === null) return;
  const options = { accountId, limitsMs, maxWaitMs };
  // Numbers become plain: a copy for the thread can't have classes.
  const plain: JsonValue = JSON.parse(JSON.stringify(schema));
  const outcome = await webThreads().run("findSchemaProblem", plain, options);
  if (isBusy(outcome)) throw busy();
  const problem = outcome.kind === "done" ? outcome.value : "it takes too long to read";
  if (problem !== null) throw invalidField("schema", `can't be used: ${problem}`);
}

/** The event types of an OpenAPI document. Throws `invalid_request` if there are none. */
export async function readEventTypes(accountId: string, document: unknown): Promise<ImportedTypes> {
  const options = { accountId, limitsMs: { run: 10_000 }, maxWaitMs };
  const outcome = await webThreads().run("readOpenApi", document, options);
  if (isBusy(outcome)) throw busy();
  if (outcome.kind !== "done") throw invalidField("document", "takes too long to read");
  if (!outcome.value.ok) throw invalidField("document", outcome.value.message);
  const { entries, skipped } = outcome.value;
  return { entries, skipped };
}

/** No thread was free, or a new one was slow to start: that says nothing about the input. */
function isBusy(outcome: ThreadOutcome<unknown>): boolean {
  return outcome.kind === "too_busy" || (outcome.kind === "too_slow" && outcome.phase === "start");
}

function busy(): AppError {
  return new AppError("rate_limited", "The server is busy. Try again in a few seconds.", {
    headers: { "retry-after": "5" },
  });
}
