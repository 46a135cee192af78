/**
 * Evaluates a stored request exactly as the catch path would: the same verifier, over the same
 * bytes, with the same rules.
 */
import { type EventRules, findEvents } from "#lib/core/batch/find-events.ts";
import { toDistinctHeaders } from "#lib/core/build-request/delivery-context.ts";
import { findProvider } from "#lib/core/catalog/catalog.ts";
import { readByBytes, readUnpacked, unpackBody } from "#lib/core/payload/read-by-bytes.ts";
import type { Payload } from "#lib/core/payload/read-payload.ts";
import { hideSealedValues, openSealedValues } from "#lib/core/redact/sealed-value.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { SigningKeys } from "#lib/core/verify/scheme/signing-key.ts";
import type { NeedsKey, Verdict, Verifier } from "#lib/core/verify/verify.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import {
  createVerifier,
  findBodyRedaction,
  isHookIdentitySigned,
  openSecrets,
  type VerifierChoice,
} from "#lib/db/hooks/hook-verifier.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { headersPlace } from "#lib/db/secrets/sealed-headers.ts";
import { listSources } from "#lib/schema/hook.ts";
import { toBatch } from "./batch-deliveries.ts";
import type { NewDelivery } from "./store-deliveries.ts";

/** The parts of a hook that decide the outcome of a request. */
export type EvaluationHook = Pick<
  HookRecord,
  | "id"
  | "accountId"
  | "accountSlug"
  | "key"
  | "provider"
  | "verification"
  | "dedupe"
  | "eventType"
  | "splitBatches"
  | "replayProtection"
  | "toleranceSeconds"
> & {
  /** Of replaced catch URLs. */
  readonly previousKeys: readonly { readonly key: string }[];
};

export type EvaluationParts = {
  readonly sealer: Sealer;
  /** Of providers that publish theirs. */
  readonly signingKeys: SigningKeys;
  /** Without a trailing slash. Some providers sign the URL. */
  readonly publicOrigin: string;
};

export type StoredRequest = {
  readonly id: string;
  readonly reason: string | null;
  readonly received_at_ms: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: string;
  readonly content_type: string | null;
  readonly body: Uint8Array;
  readonly source_ip: string;
  readonly is_sample: boolean;
};

/** Of deliveries as `d`. */
export const storedRequestColumns = Prisma.sql`
  d.id, d.reason, (extract(epoch from d.received_at) * 1000)::float8 as received_at_ms, d.method, d.path, d.query,
  d.headers::text as headers, d.content_type, d.body, d.source_ip, d.is_sample`;

/** `clean` removes from a verified body what only its provider and the hook should know. */
export type StoredEvaluator = {
  readonly verifier: Verifier | null;
  readonly clean: (body: Uint8Array) => Uint8Array;
};

export type StoredEvaluation =
  | { readonly kind: "passed"; readonly delivery: NewDelivery; readonly payload: Payload }
  | {
      readonly kind: "failed";
      readonly verdict: Extract<Verdict, { outcome: "failed" }>;
      readonly whole: NewDelivery;
    }
  /** It needs a key of the provider that can't be fetched now. */
  | { readonly kind: "keyMissing" };

/** With the active secrets, by the database's clock. */
export async function prepareEvaluator(
  db: SqlStatements,
  hook: EvaluationHook,
  sealer: Sealer,
  choice: VerifierChoice = {},
): Promise<StoredEvaluator> {
  const secrets = await db.$queryRaw<{ id: string; ciphertext: Uint8Array }[]>`
    select id, ciphertext from hook_secrets
    where hook_id = ${hook.id}::uuid and (expires_at is null or expires_at > now())
    order by id desc`;
  const stored = { ...hook, secrets };
  const opened = openSecrets(stored, sealer);
  return {
    verifier: createVerifier(stored, opened, choice),
    clean: findBodyRedaction(stored, opened) ?? ((body) => body),
  };
}

/** With the clock of its arrival. */
export async function verifyStored(
  hook: EvaluationHook,
  verifier: Verifier,
  row: StoredRequest,
  { sealer, signingKeys, publicOrigin }: EvaluationParts,
): Promise<Verdict | NeedsKey> {
  const place = headersPlace(hook.accountId, row.id);
  const opened = readPairs(row).map(
    ([name, value]) => [name, openSealedValues(sealer, value, place)] as const,
  );
  const query = openSealedValues(sealer, row.query, place);
  const headers = toDistinctHeaders(opened);
  const verifyAt = async (key: string): Promise<Verdict | NeedsKey> => {
    const url = `${publicOrigin}/catch/${hook.accountSlug}/${key}${row.path}${query === "" ? "" : `?${query}`}`;
    const request = { method: row.method, url, headers, body: row.body, query };
    const verdict = verifier(request, row.received_at_ms, signingKeys.find);
    if (verdict.outcome !== "needsKey") return verdict;
    await signingKeys.load(verdict.source, keyWaitMs);
    return verifier(request, row.received_at_ms, signingKeys.find);
  };
  const verdict = await verifyAt(hook.key);
  if (verdict.outcome !== "failed") return verdict;
  // It may have come to a URL that was replaced since, and some providers sign the URL.
  for (const { key } of hook.previousKeys) {
    const other = await verifyAt(key);
    if (other.outcome === "verified") return other;
  }
  return verdict;
}

const keyWaitMs = 2_000;

export async function evaluateStored(
  hook: EvaluationHook,
  { verifier, clean }: StoredEvaluator,
  row: StoredRequest,
  parts: EvaluationParts,
): Promise<StoredEvaluation> {
  const verdict = verifier === null ? null : await verifyStored(hook, verifier, row, parts);
  if (verdict?.outcome === "needsKey") return { kind: "keyMissing" };
  const whole = toWhole(hook, row, verdict);
  if (verdict?.outcome === "failed") return { kind: "failed", verdict, whole };
  const body = clean(row.body);
  const headers = toDistinctHeaders(readPairs(row));
  const encoding = headers["content-encoding"]?.join(", ") ?? null;
  const read = readUnpacked(await unpackBody(body, encoding), row.content_type);
  const payload = verifier === null ? read.payload : readByBytes(read.bytes, read.payload);
  const found = findEvents(readRules(hook), { headers, body, payload }, verdict?.hashSigned);
  const verified = { ...whole, body };
  const batch = found.parts === null ? null : toBatch(verified, found.parts);
  return {
    kind: "passed",
    payload: read.payload,
    delivery: batch ?? { ...verified, ...found.whole },
  };
}

export function readPairs({ headers }: StoredRequest): readonly (readonly [string, string])[] {
  return JSON.parse(headers) as readonly (readonly [string, string])[];
}

function readRules(hook: EvaluationHook): EventRules {
  const batch = hook.splitBatches ? (findProvider(hook.provider)?.batch ?? null) : null;
  const dedupe = listSources(hook.dedupe);
  return {
    dedupe,
    eventType: listSources(hook.eventType),
    batch,
    isIdentitySigned: isHookIdentitySigned(hook, dedupe),
  };
}

function toWhole(hook: EvaluationHook, row: StoredRequest, verdict: Verdict | null): NewDelivery {
  return {
    id: row.id,
    accountId: hook.accountId,
    hookId: hook.id,
    status: "accepted",
    reason: null,
    detail: null,
    receivedAtMs: Math.round(row.received_at_ms),
    method: row.method,
    path: row.path,
    query: hideSealedValues(row.query),
    headersJson: hideSealedValues(row.headers),
    contentType: row.content_type,
    body: row.body,
    eventId: null,
    eventType: null,
    keyHash: null,
    replayHash: null,
    verificationOutcome: verdict?.outcome ?? "not_configured",
    verificationScheme: verdict?.scheme ?? null,
    sourceIp: row.source_ip,
    isSample: row.is_sample,
  };
}
