import pLimit from "p-limit";
import type { DistinctHeaders } from "#lib/core/api/http/http-types.ts";
import {
  isGzip,
  readUnpacked,
  type UnpackedBody,
  unpackBody,
} from "#lib/core/mapping/payload/read-by-bytes.ts";
import type { Payload } from "#lib/core/mapping/payload/read-payload.ts";
import type { HookEvent } from "#lib/core/sending/hook-event.ts";
import { type ReadEvents, readEvents } from "#lib/core/verify/batch/read-events.ts";
import { findHandshake } from "#lib/core/verify/handshake/find-handshake.ts";
import type { Handshake } from "#lib/core/verify/handshake/handshake.ts";
import { describeVerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import type { KeyLookup } from "#lib/core/verify/scheme/signing-key.ts";
import type { NeedsKey, Verdict } from "#lib/core/verify/verify.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { type Rejection, reject } from "#lib/ingress/rejection.ts";
import { toBatch } from "./batch-deliveries.ts";
import type { HookRules } from "./catch-hook.ts";
import { toPublishedDelivery } from "./published-delivery.ts";
import type { ReadLarge } from "./read-events-task.ts";
import { toHeadersJson, toMark } from "./redaction.ts";

/** A request to a known hook. `body` is empty if the request was rejected before reading it. */
export type CaughtRequest = {
  readonly deliveryId: string;
  readonly receivedAtMs: number;
  readonly method: string;
  /** The public origin plus the request target: the URL that the provider may have signed. */
  readonly publicUrl: string;
  readonly path: string;
  readonly query: string;
  readonly headers: DistinctHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
  readonly sourceIp: string;
  /** A sample sent by Catchment. */
  readonly isSample: boolean;
};

/** The verdict, `pending` if it is verified later, or null if the hook doesn't verify. */
export type VerificationState = Verdict | "pending" | null;

export type Evaluation =
  | ({ readonly kind: "delivery" } & EvaluatedDelivery)
  /** A handshake, which still needs a response. */
  | { readonly kind: "handshake"; readonly handshake: Handshake; readonly payload: Payload }
  /** A request whose reading took too long. */
  | { readonly kind: "unreadable" };

/** A delivery to store. `rejection` is the response if it isn't accepted. */
export type EvaluatedDelivery = {
  readonly delivery: NewDelivery;
  readonly rejection: Rejection | null;
};

/** Verifies the bytes as sent, before anything is parsed. */
export function verifyRequest(
  hook: HookRules,
  request: CaughtRequest,
  keys: KeyLookup,
): Verdict | NeedsKey | null {
  if (hook.verifier === null) return null;
  const { method, publicUrl: url, headers, body, query } = request;
  return hook.verifier({ method, url, headers, body, query }, request.receivedAtMs, keys);
}

export function rejectSignature(
  hook: HookRules,
  request: CaughtRequest,
  verdict: Extract<Verdict, { outcome: "failed" }>,
): EvaluatedDelivery {
  const { reason } = verdict;
  const detail = describeVerifyFailure(reason, verdict);
  return rejectDelivery(hook, request, reject("signature_invalid", detail, { reason }), verdict);
}

/**
 * Reads the payload of a verified request (or of any request, if the hook doesn't verify) and
 * identifies its events. Pending requests are read too, but get no dedupe key, since they may be
 * forged.
 *
 * @param verification `pending`: the request is verified later
 */
export function evaluateDelivery(
  hook: HookRules,
  sent: CaughtRequest,
  verification: VerificationState,
  readLarge: ReadLarge,
): Evaluation | Promise<Evaluation> {
  const request = withoutSecret(hook, sent, verification);
  const contentEncoding = request.headers["content-encoding"];
  const { body } = request;
  // Synchronous in most cases.
  if (contentEncoding === undefined && (hook.verifier === null || !isGzip(body)))
    return evaluateUnpacked(
      hook,
      request,
      verification,
      { bytes: body, decoded: { ok: true, bytes: body } },
      readLarge,
    );
  return decoding(() => unpackBody(body, contentEncoding?.join(", ") ?? null)).then((unpacked) =>
    evaluateUnpacked(hook, request, verification, unpacked, readLarge),
  );
}

/**
 * Larger bodies are read in a thread, since reading takes about 15 ms per megabyte (100 ms at
 * worst).
 */
const maxBytesAtOnce = 256 * 1024;

function evaluateUnpacked(
  hook: HookRules,
  request: CaughtRequest,
  verification: VerificationState,
  unpacked: UnpackedBody,
  readLarge: ReadLarge,
): Evaluation | Promise<Evaluation> {
  const contentType = request.headers["content-type"]?.[0] ?? null;
  const { events, verifier, accountId } = hook;
  const rules = verification === "pending" ? { ...events, batch: null } : events;
  const { headers, body, method } = request;
  const path = hook.redaction.path(request.path);
  const query = hook.redaction.query(request.query);
  const input = { rules, isVerified: verifier !== null, headers, body, method, path, query };
  const isVerified =
    verification !== null && verification !== "pending" && verification.outcome === "verified";
  const hashSigned = isVerified ? verification.hashSigned : undefined;
  if (unpacked.bytes.byteLength > maxBytesAtOnce)
    return readLarge(accountId, {
      ...input,
      contentType,
      unpacked,
      signedHash: hashSigned?.() ?? null,
    }).then((read) =>
      read === null ? { kind: "unreadable" } : evaluateEvents(hook, request, verification, read),
    );
  const read = readUnpacked(unpacked, contentType, rules.payloadField);
  const { payload } = read;
  // Handshakes are never large enough to be read in a thread.
  const handshake =
    hook.handshakes === null || (payload.kind === "none" && payload.code === "invalid_json")
      ? null
      : findHandshake(hook.handshakes.signed, { ...request, payload });
  if (handshake !== null) return evaluateHandshake(hook, request, verification, handshake, payload);
  return evaluateEvents(hook, request, verification, readEvents(input, read, hashSigned));
}

/** Removes a secret from a verified body, so that it is neither stored nor forwarded. */
function withoutSecret(
  { hideSecret }: HookRules,
  request: CaughtRequest,
  verification: VerificationState,
): CaughtRequest {
  const isVerified =
    verification !== null && verification !== "pending" && verification.outcome === "verified";
  return hideSecret === null || !isVerified
    ? request
    : { ...request, body: hideSecret(request.body) };
}

function evaluateEvents(
  hook: HookRules,
  request: CaughtRequest,
  verification: VerificationState,
  read: ReadEvents,
): Evaluation {
  if (read.invalid !== null) {
    const detail = `${read.invalid} Send valid JSON, or the matching Content-Type.`;
    const verdict = verification === "pending" ? null : verification;
    return rejectDelivery(hook, request, reject("invalid_json", detail), verdict);
  }
  const { whole, parts } = read;
  // The id and type are only shown until it is verified.
  if (verification === "pending")
    return accept(toDelivery(hook, request, verification, { ...whole, keyHash: null }));
  if (parts !== null) {
    const batch = toBatch(toDelivery(hook, request, verification, noIdentity), parts);
    if (batch !== null) return accept(batch);
  }
  return accept(toDelivery(hook, request, verification, whole));
}

/** Before the hook has a secret, only handshakes that reveal nothing get a response. */
function evaluateHandshake(
  hook: HookRules,
  request: CaughtRequest,
  verification: VerificationState,
  handshake: Handshake,
  payload: Payload,
): Evaluation {
  if (verification !== "pending" || handshake.respondsWhilePending === true)
    return { kind: "handshake", handshake, payload };
  const reason = "secret_missing";
  const detail = describeVerifyFailure(reason);
  return rejectDelivery(hook, request, reject("signature_invalid", detail, { reason }));
}

function accept(delivery: NewDelivery): Evaluation {
  return { kind: "delivery", delivery, rejection: null };
}

/** Records a rejected request with its reason, so that a page can show why nothing ran. */
export function rejectDelivery(
  hook: HookRules,
  request: CaughtRequest,
  rejection: Rejection,
  verdict: Verdict | null = null,
): EvaluatedDelivery & { readonly kind: "delivery" } {
  const rejected: NewDelivery = {
    ...toDelivery(hook, request, verdict, noIdentity),
    status: "rejected",
    reason: rejection.reason ?? rejection.code,
    detail: rejection.detail,
  };
  const shown = hook.hasEmptyRejections ? { ...rejection, isBodiless: true } : rejection;
  return { kind: "delivery", delivery: rejected, rejection: shown };
}

/** A handshake isn't an event, so it has no event id and no dedupe key. */
export function recordHandshake(
  hook: HookRules,
  request: CaughtRequest,
  verification: VerificationState,
  name: string,
): NewDelivery {
  return {
    ...toDelivery(hook, request, verification, noIdentity),
    status: "handshake",
    detail: `Responded to the provider's ${name}.`,
    verificationOutcome:
      verification === null
        ? "not_configured"
        : verification === "pending"
          ? "pending"
          : verification.outcome,
  };
}

// Each one may decompress 10 MiB. Limited to the number of threads, to bound memory.
const decoding = pLimit(4);

type Identity = Pick<
  NewDelivery,
  "eventId" | "eventType" | "keyHash" | "replayHash" | "withinSeconds"
> & { readonly published?: HookEvent };

const noIdentity: Identity = { eventId: null, eventType: null, keyHash: null, replayHash: null };

function toDelivery(
  hook: HookRules,
  request: CaughtRequest,
  verification: VerificationState,
  { eventId, eventType, keyHash, replayHash, withinSeconds, published }: Identity,
): NewDelivery {
  const isPending = verification === "pending";
  const unverified = hook.verifier === null ? "not_configured" : "failed";
  // Pending deliveries keep sealed credentials, to be verified later.
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
    path: hook.redaction.path(request.path, hide),
    query: hook.redaction.query(request.query, hide),
    headersJson: toHeadersJson(request.rawHeaders, hook.redaction.headerNames, hide),
    contentType: request.headers["content-type"]?.[0] ?? null,
    body: request.body,
    eventId,
    eventType,
    keyHash,
    replayHash,
    withinSeconds,
    verificationOutcome: isPending ? "pending" : (verification?.outcome ?? unverified),
    verificationScheme: isPending ? null : (verification?.scheme ?? null),
    sourceIp: request.sourceIp,
    isSample: request.isSample,
    published: isPending ? undefined : toPublishedDelivery(published, request.receivedAtMs),
  };
}
