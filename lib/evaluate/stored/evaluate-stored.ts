/**
 * Evaluates a stored request as it was evaluated when it arrived: by the same functions, over the
 * same bytes, with the hook's current rules.
 */
import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import { openSealedValues } from "#lib/core/people/redact/sealed-value.ts";
import { deliveryHeadersPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { Handshake } from "#lib/core/verify/handshake/handshake.ts";
import { openSecrets } from "#lib/core/verify/hook/hook-secrets.ts";
import type { VerifierChoice } from "#lib/core/verify/hook/hook-verifier.ts";
import type { SigningKeys } from "#lib/core/verify/scheme/signing-key.ts";
import type { NeedsKey, Verdict } from "#lib/core/verify/verify.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { hideSealed, readPairs, type StoredRequest } from "#lib/db/deliveries/stored-requests.ts";
import { type EvaluationHook, readActiveSecrets } from "#lib/db/hooks/evaluation-hook.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import { type HookRules, toRules } from "../catch-hook.ts";
import { type CheckEvents, evaluateChecked } from "../check-published.ts";
import {
  type CaughtRequest,
  type EvaluatedDelivery,
  rejectSignature,
  verifyRequest,
} from "../evaluate-delivery.ts";
import { type ReadLarge, readEventsTask } from "../read-events-task.ts";
import { noRedaction } from "../redaction.ts";

export type EvaluationParts = {
  readonly sealer: Sealer;
  /** The keys of providers that publish them. */
  readonly signingKeys: SigningKeys;
  /** The public origin without a trailing slash. Some providers sign the URL. */
  readonly publicOrigin: string;
  /** Checks events of hooks that publish, against the schemas that `db` sees. */
  readonly createEventCheck: (db: SqlStatements) => CheckEvents;
};

export type StoredEvaluator = {
  readonly hook: EvaluationHook;
  readonly rules: HookRules;
  readonly checkEvents: CheckEvents;
};

type StoredEvaluation =
  | ({ readonly kind: "delivery" } & EvaluatedDelivery)
  | ({ readonly kind: "failed" } & EvaluatedDelivery)
  | { readonly kind: "handshake" }
  /** It needs a provider's key that can't be fetched now. */
  | { readonly kind: "keyMissing" };

/**
 * Prepares a hook's rules with its active secrets, by the database's clock.
 *
 * @param handshakes handshakes that are not events
 */
export async function prepareEvaluator(
  db: SqlStatements,
  hook: EvaluationHook,
  { sealer, createEventCheck }: Pick<EvaluationParts, "sealer" | "createEventCheck">,
  { choice, handshakes }: { choice?: VerifierChoice; handshakes?: readonly Handshake[] } = {},
): Promise<StoredEvaluator> {
  const { id, accountId } = hook;
  const secrets = openSecrets(accountId, await readActiveSecrets(db, hook), sealer);
  const sources = {
    dedupe: listSources(hook.dedupe),
    eventType: listSources(hook.eventType),
    publish: hook.publish,
  };
  const rules: HookRules = {
    ...toRules(hook, sources, secrets, choice),
    id,
    accountId,
    handshakes: handshakes === undefined ? null : { signed: handshakes },
    pending: null,
    hasEmptyRejections: false,
    // Credentials were replaced before the request was stored.
    redaction: noRedaction,
  };
  return { hook, rules, checkEvents: createEventCheck(db) };
}

/** Verifies a request with the clock of its arrival. Null: the hook doesn't verify. */
export async function verifyStored(
  { hook, rules }: StoredEvaluator,
  row: StoredRequest,
  { sealer, signingKeys, publicOrigin }: EvaluationParts,
): Promise<Verdict | NeedsKey | null> {
  const place = deliveryHeadersPlace({ accountId: hook.accountId, id: row.id });
  const headers = readPairs(row).map(
    ([name, value]) => [name, openSealedValues(sealer, value, place)] as const,
  );
  const query = openSealedValues(sealer, row.query, place);
  const below = openSealedValues(sealer, row.path, place);
  const opened = { ...toCaught(row, headers), query };
  const verifyAt = async (key: string): Promise<Verdict | NeedsKey | null> => {
    const path = `/catch/${hook.accountSlug}/${key}${below}`;
    const publicUrl = `${publicOrigin}${path}${query === "" ? "" : `?${query}`}`;
    const request = { ...opened, publicUrl, receivedAtMs: row.receivedAtMs };
    const verdict = verifyRequest(rules, request, signingKeys.find);
    if (verdict?.outcome !== "needsKey") return verdict;
    await signingKeys.load(verdict.source, keyWaitMs, hook.id);
    return verifyRequest(rules, request, signingKeys.find);
  };
  const verdict = await verifyAt(hook.path ?? hook.key);
  if (verdict?.outcome !== "failed") return verdict;
  // It may have arrived at a URL that has been replaced, and some providers sign the URL.
  for (const { key } of hook.previousKeys) {
    const other = await verifyAt(key);
    if (other?.outcome === "verified") return other;
  }
  return verdict;
}

const keyWaitMs = 2_000;

export async function evaluateStored(
  evaluator: StoredEvaluator,
  row: StoredRequest,
  parts: EvaluationParts,
): Promise<StoredEvaluation> {
  const { rules, checkEvents } = evaluator;
  const verdict = await verifyStored(evaluator, row, parts);
  if (verdict?.outcome === "needsKey") return { kind: "keyMissing" };
  const hidden = hideSealed(row);
  const request = toCaught(hidden, readPairs(hidden));
  if (verdict?.outcome === "failed")
    return { ...rejectSignature(rules, request, verdict), kind: "failed" };
  const tasks = { readLarge: readHere, checkEvents };
  const evaluation = await evaluateChecked(rules, request, verdict, tasks);
  switch (evaluation.kind) {
    case "delivery":
      return evaluation;
    case "handshake":
      return { kind: "handshake" };
    case "unreadable":
      throw new Error("a stored request is read without a time limit");
    case "unchecked":
      throw evaluation.cause;
    default:
      return evaluation satisfies never;
  }
}

/**
 * Evaluates a delivery as what its verification found when it arrived. Null: it is no event, or the
 * hook verifies and didn't then.
 */
export async function evaluateVerified(
  { rules, checkEvents }: StoredEvaluator,
  row: StoredRequest,
): Promise<NewDelivery | null> {
  const { verificationOutcome, verificationScheme } = row;
  const isVerified = verificationOutcome === "verified";
  if (!isVerified && rules.verifier !== null) return null;
  const verdict: Verdict | null = isVerified
    ? { outcome: "verified", scheme: verificationScheme ?? "" }
    : null;
  const hidden = hideSealed(row);
  const request = toCaught(hidden, readPairs(hidden));
  const tasks = { readLarge: readHere, checkEvents };
  const evaluation = await evaluateChecked(rules, request, verdict, tasks);
  if (evaluation.kind === "unchecked") throw evaluation.cause;
  return evaluation.kind === "delivery" && evaluation.rejection === null
    ? evaluation.delivery
    : null;
}

/** Reads in this thread, because no request waits for it. */
const readHere: ReadLarge = async (_accountId, input) => readEventsTask(input);

type Pairs = ReturnType<typeof readPairs>;

function toCaught(row: StoredRequest, pairs: Pairs): CaughtRequest {
  const headers = toDistinctHeaders(pairs);
  const isTyped = headers["content-type"] !== undefined || row.contentType === null;
  const type = isTyped ? {} : { "content-type": [row.contentType] };
  return {
    deliveryId: row.id,
    receivedAtMs: Math.round(row.receivedAtMs),
    method: row.method,
    publicUrl: "",
    path: row.path,
    query: row.query,
    headers: { ...headers, ...type },
    rawHeaders: pairs.flat(),
    body: row.body,
    sourceIp: row.sourceIp,
    isSample: row.isSample,
  };
}
