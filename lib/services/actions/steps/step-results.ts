import { showStoredBody } from "#lib/core/api/http/show-response.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { buildPayloadTree, type PayloadNode } from "#lib/core/mapping/payload-tree/payload-tree.ts";
import { TextBudget } from "#lib/core/mapping/payload-tree/text-budget.ts";
import { collectResults } from "#lib/core/steps/collect-results.ts";
import { toCallResult } from "#lib/core/steps/step-result.ts";
import { loadSteps } from "#lib/db/queue/load-steps.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { getRun, type RunWithAttempts } from "#lib/db/runs/runs.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** The results of the steps in an action's last run on a delivery, by the keys they had then. */
export type StepResults = {
  readonly runId: string;
  readonly at: Date;
  readonly results: Readonly<Record<string, JsonValue>>;
};

/** Null: the action didn't run on it. */
export async function readStepResults(
  { db }: ServiceParts,
  accountId: string,
  actionId: string,
  deliveryId: string,
): Promise<StepResults | null> {
  const { items } = await listRuns(db, accountId, { actionId, deliveryId }, { limit: 1 });
  const [latest] = items;
  if (latest === undefined) return null;
  const run = { runId: latest.id, at: latest.finishedAt ?? latest.createdAt };
  // The run is the account's, so its ledger is too.
  const records = (await loadSteps(db, [latest.id])).get(latest.id) ?? [];
  if (records.length > 0)
    return { ...run, results: collectResults(records, (record) => read(record.resultJson)) };
  const only = readOneCall(await getRun(db, accountId, latest.id));
  return only === null ? null : { ...run, results: { [onlyCallKey]: only } };
}

/**
 * The result of an action with one call, which has no ledger: what a later step would have seen.
 */
function readOneCall({ attempts }: RunWithAttempts): JsonValue {
  const attempt = attempts.findLast(({ late, responseJson }) => !late && responseJson !== null);
  if (attempt?.responseJson == null) return null;
  const stored = JSON.parse(attempt.responseJson) as StoredResponse;
  const { status, headers, truncated } = stored;
  const { text, isBinary } = showStoredBody(stored);
  const response = { status, headers, body: isBinary ? null : text, truncated };
  return read(toCallResult(response, attempt.error, [], 0));
}

/** A response as `toStoredResponse` of a run's attempt writes it. */
type StoredResponse = {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly truncated: boolean;
  readonly bodyBinary?: boolean;
};

function read(json: string | null): JsonValue {
  const parsed = parseExactJson(json ?? "{}");
  return parsed.ok ? parsed.value : {};
}

/** The result of a step as the editor shows it. Templates read it as `steps.<key>`. */
export type ShownResult = { readonly key: string; readonly tree: PayloadNode };

/** The limit in bytes of the page, for all results of a run together. */
const maxBytes = 120_000;

/** `results` by key. The first ones have more room if there is too much for a page. */
export function showResults(results: Readonly<Record<string, JsonValue>>): readonly ShownResult[] {
  const budget = new TextBudget(maxBytes);
  return Object.entries(results).map(([key, value]) => showResult(key, value, budget));
}

export function showResult(
  key: string,
  value: JsonValue,
  budget: TextBudget = new TextBudget(maxBytes),
): ShownResult {
  return { key, tree: { ...buildPayloadTree(value, budget, `steps.${key}`), key } };
}
