import { newId } from "#lib/base/ids.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { EvaluationHook } from "#lib/db/hooks/evaluation-hook.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import {
  type EvaluationParts,
  evaluateVerified,
  prepareEvaluator,
} from "#lib/evaluate/stored/evaluate-stored.ts";
import { fetchedScheme } from "#lib/schema/receive/delivery-status.ts";

type FetchedEvent = {
  /** JSON. */
  readonly body: Uint8Array;
  /** The host that listed it. */
  readonly host: string;
  /** What identifies it beside its body. */
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
};

/** Null: the hook's rules reject it. */
export type EvaluateFetched = (event: FetchedEvent) => Promise<NewDelivery | null>;

/**
 * Evaluates events that a provider's API listed as catch evaluates requests: by the same functions,
 * with the hook's rules of now. What a signature proves of a request, the credential proves of them.
 */
export async function createFetchedEvaluation(
  db: SqlStatements,
  hook: EvaluationHook,
  parts: Pick<EvaluationParts, "sealer" | "createEventCheck">,
): Promise<EvaluateFetched> {
  const evaluator = await prepareEvaluator(db, hook, parts);
  return async ({ body, host, headers = [] }) => {
    const delivery = await evaluateVerified(evaluator, {
      id: newId(),
      reason: null,
      receivedAtMs: Date.now(),
      method: "POST",
      path: "",
      query: "",
      headers: JSON.stringify([["Content-Type", contentType], ...headers]),
      contentType,
      bodySize: body.byteLength,
      body,
      sourceIp: host,
      isSample: false,
      verificationOutcome: "verified",
      verificationScheme: fetchedScheme,
    });
    // A list has one event at a time.
    return delivery?.status === "accepted" ? delivery : null;
  };
}

const contentType = "application/json";
