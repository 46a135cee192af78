import { identifyEvent, readEventType } from "#lib/core/dedupe/identify-event.ts";
import type { DistinctHeaders } from "#lib/core/http-types.ts";
import { decodeBody } from "#lib/core/payload/decode-body.ts";
import { type Payload, readPayload } from "#lib/core/payload/read-payload.ts";
import { describeVerifyFailure } from "#lib/core/verify/failure.ts";
import type { KeyLookup } from "#lib/core/verify/signing-key.ts";
import type { NeedsKey, Verdict } from "#lib/core/verify/verify.ts";
import type { NewDelivery } from "#lib/db/store-deliveries.ts";
import type { CatchHook } from "./catch-hook.ts";
import { type Refusal, refuse } from "./catch-result.ts";
import { Gate } from "./gate.ts";
import { toHeadersJson } from "./headers-json.ts";

/** A request to a known hook, read whole (or refused before its body was read: then `body` is empty). */
export type CaughtRequest = {
  readonly deliveryId: string;
  readonly receivedAtMs: number;
  readonly method: string;
  /** The public origin plus the target as sent: the URL that the sender was given, and may have signed. */
  readonly publicUrl: string;
  readonly path: string;
  readonly query: string;
  readonly headers: DistinctHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
  readonly sourceIp: string;
};

export type Judgement = { readonly delivery: NewDelivery; readonly refusal: Refusal | null };

/** Verify first, over the bytes as sent; only what is verified is parsed. */
export function verifyRequest(
  hook: CatchHook,
  request: CaughtRequest,
  keys: KeyLookup,
): Verdict | NeedsKey | null {
  if (hook.verifier === null) return null;
  const { method, publicUrl: url, headers, body, query } = request;
  return hook.verifier({ method, url, headers, body, query }, request.receivedAtMs, keys);
}

export function rejectSignature(
  hook: CatchHook,
  request: CaughtRequest,
  verdict: Extract<Verdict, { outcome: "failed" }>,
): Judgement {
  const { reason } = verdict;
  const detail = describeVerifyFailure(reason, verdict);
  return rejectDelivery(hook, request, refuse("signature_invalid", detail, { reason }), verdict);
}

/** What is verified: its payload is read, its event identified. */
export function judgeVerified(
  hook: CatchHook,
  request: CaughtRequest,
  verdict: Verdict | null,
): Judgement | Promise<Judgement> {
  const contentType = request.headers["content-type"]?.[0] ?? null;
  const contentEncoding = request.headers["content-encoding"];
  // Nothing to wait for in by far the most cases.
  if (contentEncoding === undefined)
    return judgePayload(hook, request, verdict, readPayload(request.body, contentType));
  return readEncoded(request.body, contentType, contentEncoding.join(", ")).then((payload) =>
    judgePayload(hook, request, verdict, payload),
  );
}

function judgePayload(
  hook: CatchHook,
  request: CaughtRequest,
  verdict: Verdict | null,
  payload: Payload,
): Judgement {
  if (payload.kind === "none" && payload.isJsonExpected) {
    const detail = `${payload.reason} Send valid JSON, or the Content-Type that fits the body.`;
    return rejectDelivery(hook, request, refuse("invalid_json", detail), verdict);
  }
  const identifiable = { headers: request.headers, body: request.body, payload };
  const { eventId, keyHash } = identifyEvent(hook.dedupeSources, identifiable);
  const eventType = readEventType(hook.eventTypeSources, identifiable);
  return { delivery: toDelivery(hook, request, verdict, { eventId, eventType, keyHash }), refusal: null };
}

/** A rejected request is recorded with its reason, so that a page can say why nothing ran. */
export function rejectDelivery(
  hook: CatchHook,
  request: CaughtRequest,
  refusal: Refusal,
  verdict: Verdict | null = null,
): Judgement {
  const identity = { eventId: null, eventType: null, keyHash: null };
  return { delivery: toDelivery(hook, request, verdict, identity, refusal), refusal };
}

// Each may unpack 10 MiB: as many at once as there are threads to do it keeps the memory bounded.
const decoding = new Gate(4);

async function readEncoded(
  body: Uint8Array,
  contentType: string | null,
  contentEncoding: string,
): Promise<Payload> {
  return decoding.run(async () => {
    const decoded = await decodeBody(body, contentEncoding);
    if (!decoded.ok) return { kind: "none", reason: decoded.message, isJsonExpected: false };
    return readPayload(decoded.bytes, contentType);
  });
}

type Identity = Pick<NewDelivery, "eventId" | "eventType" | "keyHash">;

function toDelivery(
  hook: CatchHook,
  request: CaughtRequest,
  verdict: Verdict | null,
  { eventId, eventType, keyHash }: Identity,
  refusal: Refusal | null = null,
): NewDelivery {
  return {
    id: request.deliveryId,
    accountId: hook.accountId,
    hookId: hook.id,
    status: refusal === null ? "accepted" : "rejected",
    reason: refusal === null ? null : (refusal.reason ?? refusal.code),
    detail: refusal?.detail ?? null,
    receivedAtMs: request.receivedAtMs,
    method: request.method,
    path: request.path,
    query: hook.redaction.query(request.query),
    headersJson: toHeadersJson(request.rawHeaders, hook.redaction.headerNames),
    contentType: request.headers["content-type"]?.[0] ?? null,
    body: request.body,
    eventId,
    eventType,
    keyHash,
    verificationOutcome: verdict?.outcome ?? (hook.verifier === null ? "not_configured" : "failed"),
    verificationScheme: verdict?.scheme ?? null,
    sourceIp: request.sourceIp,
  };
}
