import { identifyEvent, readEventType } from "#lib/core/dedupe/identify-event.ts";
import type { DistinctHeaders } from "#lib/core/http-types.ts";
import { decodeBody } from "#lib/core/payload/decode-body.ts";
import { type Payload, readPayload } from "#lib/core/payload/read-payload.ts";
import { describeVerifyFailure } from "#lib/core/verify/failure.ts";
import type { Verdict } from "#lib/core/verify/verify.ts";
import type { NewDelivery } from "#lib/db/store-deliveries.ts";
import type { CatchHook } from "./catch-hook.ts";
import { type Refusal, refuse } from "./catch-result.ts";
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
export function verifyRequest(hook: CatchHook, request: CaughtRequest): Verdict | null {
  if (hook.verifier === null) return null;
  const { method, publicUrl: url, headers, body, query } = request;
  return hook.verifier({ method, url, headers, body, query }, request.receivedAtMs);
}

export function rejectSignature(hook: CatchHook, request: CaughtRequest, verdict: Verdict): Judgement {
  if (verdict.outcome !== "failed") throw new Error("Only a failed verification is a rejection");
  const detail = describeVerifyFailure(verdict.reason, verdict);
  return rejectDelivery(hook, request, verdict.reason, refuse("signature_invalid", detail), verdict);
}

/** What is verified: its payload is read, its event identified. */
export async function judgeVerified(
  hook: CatchHook,
  request: CaughtRequest,
  verdict: Verdict | null,
): Promise<Judgement> {
  const payload = await readRequestPayload(request);
  if (payload.kind === "none" && payload.isJsonExpected) {
    const refusal = refuse(
      "invalid_json",
      `${payload.reason} Send valid JSON, or the Content-Type that fits the body.`,
    );
    return rejectDelivery(hook, request, "invalid_json", refusal, verdict);
  }
  const identifiable = { headers: request.headers, body: request.body, payload };
  const { eventId, keyHash } = identifyEvent(hook.dedupeSources, identifiable);
  const delivery: NewDelivery = {
    ...commonColumns(hook, request, verdict),
    status: "accepted",
    reason: null,
    body: request.body,
    eventId,
    eventType: readEventType(hook.eventTypeSources, identifiable),
    keyHash,
  };
  return { delivery, refusal: null };
}

/** A rejected request is recorded with its reason, so that a page can say why nothing ran. */
export function rejectDelivery(
  hook: CatchHook,
  request: CaughtRequest,
  reason: string,
  refusal: Refusal,
  verdict: Verdict | null = null,
): Judgement {
  const delivery: NewDelivery = {
    ...commonColumns(hook, request, verdict),
    status: "rejected",
    reason,
    body: request.body,
    eventId: null,
    eventType: null,
    keyHash: null,
  };
  return { delivery, refusal };
}

async function readRequestPayload({ headers, body }: CaughtRequest): Promise<Payload> {
  const contentType = headers["content-type"]?.[0] ?? null;
  const contentEncoding = headers["content-encoding"]?.[0];
  if (contentEncoding === undefined) return readPayload(body, contentType);
  const decoded = await decodeBody(body, contentEncoding);
  if (!decoded.ok) return { kind: "none", reason: decoded.message, isJsonExpected: false };
  return readPayload(decoded.bytes, contentType);
}

function commonColumns(hook: CatchHook, request: CaughtRequest, verdict: Verdict | null) {
  return {
    id: request.deliveryId,
    accountId: hook.accountId,
    hookId: hook.id,
    receivedAtMs: request.receivedAtMs,
    method: request.method,
    path: request.path,
    query: hook.redaction.query(request.query),
    headersJson: toHeadersJson(request.rawHeaders, hook.redaction.headerNames),
    contentType: request.headers["content-type"]?.[0] ?? null,
    verificationOutcome: verdict?.outcome ?? ("not_configured" as const),
    verificationScheme: verdict?.scheme ?? null,
    sourceIp: request.sourceIp,
  };
}
