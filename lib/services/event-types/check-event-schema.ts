import { invalidField } from "#lib/base/errors.ts";
import type { SchemaTrial } from "#lib/core/sending/event-schema.ts";
import type { ImportedTypes } from "#lib/core/sending/read-openapi.ts";
import { busyServer } from "#lib/services/threads/busy-server.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { isBusy } from "#lib/threads/thread-outcome.ts";

const limitsMs = { run: 2_000 };
const maxWaitMs = 10_000;

/**
 * Throws `invalid_request` if the schema can't be compiled, if that takes too long, or if the
 * example doesn't match it.
 */
export async function requireUsableSchema(
  accountId: string,
  { schema, example }: SchemaTrial,
): Promise<void> {
  if (schema === null) return;
  const options = { accountId, limitsMs, maxWaitMs };
  // The copy turns exact numbers into plain ones: a thread can't receive classes.
  const plain: SchemaTrial = JSON.parse(JSON.stringify({ schema, example }));
  const outcome = await webThreads().run("findSchemaProblem", plain, options);
  if (isBusy(outcome)) throw busyServer();
  if (outcome.kind !== "done") throw tooSlow();
  const problem = outcome.value;
  if (problem === null) return;
  const isExample = problem.path !== "schema";
  throw invalidField(
    problem.path,
    problem.message,
    isExample ? "schema_mismatch" : "invalid_value",
  );
}

function tooSlow() {
  return invalidField("schema", "can't be used: it takes too long to check");
}

/** The event types of an OpenAPI document. Throws `invalid_request` if there are none. */
export async function readOpenApiTypes(
  accountId: string,
  document: unknown,
): Promise<ImportedTypes> {
  const options = { accountId, limitsMs: { run: 10_000 }, maxWaitMs };
  const outcome = await webThreads().run("readOpenApi", document, options);
  if (isBusy(outcome)) throw busyServer();
  if (outcome.kind !== "done") throw invalidField("document", "takes too long to read");
  if (!outcome.value.ok) throw invalidField("document", outcome.value.message);
  const { entries, skipped } = outcome.value;
  return { entries, skipped };
}
