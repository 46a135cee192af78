import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { Mismatch } from "#lib/core/sending/schema-finding.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { busyServer } from "#lib/services/threads/busy-server.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { isBusy } from "#lib/threads/thread-outcome.ts";

const limitsMs = { run: 5_000, check: 1_000 };
const maxWaitMs = 10_000;

/**
 * The first difference between data and the schema of its type, by the code that checks published
 * events. Null: it matches, or there is no schema.
 *
 * @param dataJson the data as JSON
 */
export async function checkEventData(
  accountId: string,
  schema: JsonValue,
  dataJson: string,
): Promise<Mismatch | null> {
  if (schema === null) return null;
  const written = stringifyExactJson(schema);
  if (!written.ok) throw new Error(`A stored schema can't be written: ${written.message}`);
  const check = { schema: written.text, dataJsons: [dataJson] };
  const outcome = await webThreads().run("checkData", check, { accountId, limitsMs, maxWaitMs });
  if (isBusy(outcome)) throw busyServer();
  if (outcome.kind === "done") return outcome.value[0] ?? null;
  const message = "can't be checked, because the schema of this event type takes too long";
  return { kind: "unchecked", path: "data", message };
}
