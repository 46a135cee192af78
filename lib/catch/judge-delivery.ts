import { findEvents } from "#lib/core/batch/find-events.ts";
import type { IdentifiableRequest } from "#lib/core/dedupe/identify-event.ts";
import { findHandshake } from "#lib/core/handshake/find-handshake.ts";
import type { Handshake } from "#lib/core/handshake/handshake.ts";
import type { DistinctHeaders } from "#lib/core/http-types.ts";
import { isGzip, type ReadBody, readByBytes, readEncoded } from "#lib/core/payload/read-by-bytes.ts";
import { type Payload, readPayload } from "#lib/core/payload/read-payload.ts";
import { describeVerifyFailure } from "#lib/core/verify/failure.ts";
import type { KeyLookup } from "#lib/core/verify/signing-key.ts";
import type { NeedsKey, Verdict } from "#lib/core/verify/verify.ts";
import { toBatch } from "#lib/db/batch-deliveries.ts";
import type { NewDelivery } from "#lib/db/store-deliveries.ts";
import type { CatchHook } from "./catch-hook.ts";
import { type Refusal, refuse } from "./catch-result.ts";
import { Gate } from "./gate.ts";
import { toHeadersJson } from "./headers-json.ts";
import { toMark } from "./redaction.ts";

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

/** What the hook makes of a request before anything is verified, or after: a verdict, or that it is to be verified later. */
export type Standing = Verdict | "pending" | null;

export type Judgement =
  | ({ readonly kind: "delivery" } & Judged)
  /** What it asks for has still to be answered. */
  | { readonly kind: "handshake"; readonly handshake: Handshake; readonly payload: Payload };

/** To be stored; `refusal` is what the sender is told where it is not taken. */
export type Judged = { readonly delivery: NewDelivery; readonly refusal: Refusal | null };

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
): Judged {
  const { reason } = verdict;
  const detail = describeVerifyFailure(reason, verdict);
  return rejectDelivery(hook, request, refuse("signature_invalid", detail, { reason }), verdict);
}

/**
 * What is verified (or comes to a hook that verifies nothing): its payload is read, its events are identified. What a waiting hook keeps
 * is looked at in the same way, but takes no key: nobody knows yet whether it is genuine.
 *
 * @param standing `pending`: it was not verified, and is kept until it can be
 */
export function judgeDelivery(
  hook: CatchHook,
  sent: CaughtRequest,
  standing: Standing,
): Judgement | Promise<Judgement> {
  const request = withoutSecret(hook, sent, standing);
  const contentType = request.headers["content-type"]?.[0] ?? null;
  const contentEncoding = request.headers["content-encoding"];
  const { body } = request;
  // Nothing to wait for in by far the most cases.
  if (contentEncoding === undefined && (hook.verifier === null || !isGzip(body)))
    return judgePayload(hook, request, standing, { bytes: body, payload: readPayload(body, contentType) });
  return decoding
    .run(() => readEncoded(body, contentType, contentEncoding?.join(", ") ?? null))
    .then((read) => judgePayload(hook, request, standing, read));
}

/** A secret that travels in the body has proven its sender by now: it is neither stored nor passed on. */
function withoutSecret({ hideSecret }: CatchHook, request: CaughtRequest, standing: Standing): CaughtRequest {
  const isVerified = standing !== null && standing !== "pending" && standing.outcome === "verified";
  return hideSecret === null || !isVerified ? request : { ...request, body: hideSecret(request.body) };
}

function judgePayload(
  hook: CatchHook,
  request: CaughtRequest,
  standing: Standing,
  { bytes, payload }: ReadBody,
): Judgement {
  if (payload.kind === "none" && payload.isJsonExpected) {
    const detail = `${payload.reason} Send valid JSON, or the Content-Type that fits the body.`;
    const verdict = standing === "pending" ? null : standing;
    return rejectDelivery(hook, request, refuse("invalid_json", detail), verdict);
  }
  if (hook.handshakes !== null) {
    const handshake = findHandshake(hook.handshakes.signed, { ...request, payload });
    if (handshake !== null) return judgeHandshake(hook, request, standing, handshake, payload);
  }
  const identifiable = {
    headers: request.headers,
    body: request.body,
    payload: hook.verifier === null ? payload : readByBytes(bytes, payload),
  };
  if (standing === "pending") return keepPending(hook, request, identifiable);
  const { whole, parts } = findEvents(hook.events, identifiable);
  if (parts !== null) {
    const batch = toBatch(toDelivery(hook, request, standing, noIdentity), parts);
    if (batch !== null) return accept(batch);
  }
  return accept(toDelivery(hook, request, standing, whole));
}

/** Before the secret is there only those are answered that give nothing away; the others would be taken for verified. */
function judgeHandshake(
  hook: CatchHook,
  request: CaughtRequest,
  standing: Standing,
  handshake: Handshake,
  payload: Payload,
): Judgement {
  if (standing !== "pending" || handshake.isAnsweredWhilePending === true)
    return { kind: "handshake", handshake, payload };
  const reason = "secret_missing";
  const detail = describeVerifyFailure(reason);
  return rejectDelivery(hook, request, refuse("signature_invalid", detail, { reason }));
}

/** Its id and type are shown; they decide nothing before it is verified. */
function keepPending(hook: CatchHook, request: CaughtRequest, identifiable: IdentifiableRequest): Judgement {
  const { whole } = findEvents({ ...hook.events, batch: null }, identifiable);
  return accept(toDelivery(hook, request, "pending", { ...whole, keyHash: null }));
}

function accept(delivery: NewDelivery): Judgement {
  return { kind: "delivery", delivery, refusal: null };
}

/** A rejected request is recorded with its reason, so that a page can say why nothing ran. */
export function rejectDelivery(
  hook: CatchHook,
  request: CaughtRequest,
  refusal: Refusal,
  verdict: Verdict | null = null,
): Judged & { readonly kind: "delivery" } {
  const rejected: NewDelivery = {
    ...toDelivery(hook, request, verdict, noIdentity),
    status: "rejected",
    reason: refusal.reason ?? refusal.code,
    detail: refusal.detail,
  };
  const told = hook.hasEmptyRefusals ? { ...refusal, isBodiless: true } : refusal;
  return { kind: "delivery", delivery: rejected, refusal: told };
}

/** A handshake that was answered: no event, so it has no id and takes no key. */
export function recordHandshake(
  hook: CatchHook,
  request: CaughtRequest,
  standing: Standing,
  name: string,
): NewDelivery {
  return {
    ...toDelivery(hook, request, standing, noIdentity),
    status: "handshake",
    detail: `Answered the sender's ${name}.`,
    verificationOutcome:
      standing === null ? "not_configured" : standing === "pending" ? "pending" : standing.outcome,
  };
}

// Each may unpack 10 MiB: as many at once as there are threads to do it keeps the memory bounded.
const decoding = new Gate(4);

type Identity = Pick<NewDelivery, "eventId" | "eventType" | "keyHash">;

const noIdentity: Identity = { eventId: null, eventType: null, keyHash: null };

function toDelivery(
  hook: CatchHook,
  request: CaughtRequest,
  standing: Standing,
  { eventId, eventType, keyHash }: Identity,
): NewDelivery {
  const isPending = standing === "pending";
  const unverified = hook.verifier === null ? "not_configured" : "failed";
  // What is to be verified later has to be all there then.
  const hide = isPending
    ? (value: string) => hook.pending?.seal(value, request.deliveryId) ?? toMark(value)
    : toMark;
  return {
    id: request.deliveryId,
    accountId: hook.accountId,
    hookId: hook.id,
    status: isPending ? "pending" : "accepted",
    reason: null,
    detail: null,
    receivedAtMs: request.receivedAtMs,
    method: request.method,
    path: request.path,
    query: hook.redaction.query(request.query, hide),
    headersJson: toHeadersJson(request.rawHeaders, hook.redaction.headerNames, hide),
    contentType: request.headers["content-type"]?.[0] ?? null,
    body: request.body,
    eventId,
    eventType,
    keyHash,
    verificationOutcome: isPending ? "pending" : (standing?.outcome ?? unverified),
    verificationScheme: isPending ? null : (standing?.scheme ?? null),
    sourceIp: request.sourceIp,
  };
}
