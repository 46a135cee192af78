import type { ErrorCode } from "#lib/base/errors.ts";
import { once } from "#lib/base/once.ts";
import { type Payload, readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { redactBytes, redactText } from "#lib/core/people/redact/redact-text.ts";
import { findHandshake } from "#lib/core/verify/handshake/find-handshake.ts";
import type { Handshake } from "#lib/core/verify/handshake/handshake.ts";
import {
  buildHandshakeResponse,
  type HandshakeOutcome,
  type HandshakeRejection,
  type HandshakeResponse,
} from "#lib/core/verify/handshake/handshake-response.ts";
import type { HandshakeRequest } from "#lib/core/verify/handshake/read-field.ts";
import { toVerifyToken } from "#lib/core/verify/handshake/verify-token.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { CatchHook } from "#lib/evaluate/catch-hook.ts";
import {
  type CaughtRequest,
  recordHandshake,
  rejectDelivery,
  type VerificationState,
} from "#lib/evaluate/evaluate-delivery.ts";
import type { Committed } from "#lib/ingress/group-commit.ts";
import { type Rejection, reject, rejectUnavailable } from "#lib/ingress/rejection.ts";
import type { CatchContext } from "./catch-context.ts";
import type { CatchResult } from "./catch-result.ts";
import { takesMethod } from "./cors.ts";

/** Side effects of handshakes. They reject only on database errors. */
export type HandshakeEffects = {
  /** Takes a secret from the provider. False: the hook isn't awaiting one. */
  readonly keepSecret: (hook: CatchHook, secret: string) => Promise<boolean>;
  /** Requests a confirmation URL of the provider. False: no success response. */
  readonly confirmUrl: (url: string) => Promise<boolean>;
};

export type HandshakeContext = {
  readonly hook: CatchHook;
  readonly caught: CaughtRequest;
  /** The secret part of the URL, from which the verify token is derived. */
  readonly hookKey: string;
  readonly handshake: Handshake;
  /** `payload` is null if the body wasn't read. */
  readonly seen: HandshakeRequest;
  readonly verification: VerificationState;
};

type RecordedHandshake = {
  readonly delivery: NewDelivery;
  readonly response: HandshakeResponse | Rejection;
  /** A program could answer it: it asks for nothing that only we have. */
  readonly isForListener?: boolean;
};

/** Larger unsigned bodies are not parsed before verification. */
const maxUnsignedBytes = 4_096;

/** Finds a handshake by method, URL, and headers. Its method need not be allowed by the hook. */
export function findUnread({ hook, request, target }: CatchContext): Handshake | null {
  const { handshakes } = hook;
  if (handshakes === null || handshakes.unread.length === 0) return null;
  const { method = "", headersDistinct: headers } = request;
  return findHandshake(handshakes.unread, { method, query: target.query, headers, payload: null });
}

/** True if the hook takes this method, or its provider signs a handshake with it. */
export function takesRequest({ hook, request, target }: CatchContext): boolean {
  if (takesMethod(hook, request)) return true;
  const { method = "", headersDistinct: headers } = request;
  const unread = { method, query: target.query, headers, payload: null };
  return findHandshake(hook.handshakes?.signed ?? [], unread) !== null;
}

/** Finds a handshake by its unsigned body. Reads only small bodies. */
export function findUnsigned(
  { handshakes }: CatchHook,
  caught: CaughtRequest,
): { readonly handshake: Handshake; readonly payload: Payload } | null {
  if (handshakes === null || handshakes.unsigned.length === 0) return null;
  if (caught.body.byteLength > maxUnsignedBytes) return null;
  const payload = once(() => readPayload(caught.body, caught.headers["content-type"]?.[0] ?? null));
  const handshake = findHandshake(handshakes.unsigned, {
    method: caught.method,
    query: caught.query,
    headers: caught.headers,
    get payload() {
      return payload();
    },
  });
  return handshake === null ? null : { handshake, payload: payload() };
}

/**
 * Returns the response to a handshake and its record, or a rejection if the provider has to retry.
 */
export async function respondToHandshake(
  context: HandshakeContext,
  effects: HandshakeEffects,
): Promise<RecordedHandshake | Rejection> {
  const { hook, caught, handshake, verification } = context;
  const outcome = findOutcome(context);
  switch (outcome.kind) {
    case "respond":
      return {
        delivery: recordHandshake(hook, caught, verification, handshake.name),
        response: outcome.response,
        isForListener: true,
      };
    case "keepSecret":
      return withoutSecret(await keepSecret(context, outcome, effects), outcome.secret);
    case "confirmUrl":
      if (!(await effects.confirmUrl(outcome.url))) return notConfirmed;
      return {
        delivery: recordHandshake(hook, caught, verification, handshake.name),
        response: outcome.response,
      };
    case "rejected":
      return rejectHandshake(
        context,
        reject(codes[outcome.reason], outcome.detail, { reason: outcome.reason }),
      );
    default:
      return outcome satisfies never;
  }
}

/** Providers wait for 3 s, and get our own response before. */
const handshakeWaitMs = 2_000;

type Recorded = {
  /** Null: there were too many to record it. */
  readonly stored: Committed<StoredDelivery> | null;
  readonly isForListener: boolean;
};

/** The result of a handshake, which a listener may answer. */
export function toHandshakeResult(
  { accountId, replyingListenerId: listenerId }: CatchHook,
  response: HandshakeResponse,
  { stored, isForListener }: Recorded,
): CatchResult {
  const delivery = stored?.ok === true ? stored.result : null;
  const result = { outcome: "handshake", deliveryId: delivery?.id ?? null, response } as const;
  const canWait = isForListener && delivery !== null && delivery.isSpooled !== true;
  if (listenerId === null || !canWait) return result;
  return { ...result, replying: { accountId, listenerId, waitMs: handshakeWaitMs } };
}

/** True if the hook lacks a secret or setting. It is then reloaded before the rejection. */
export function lacksSecret(context: HandshakeContext): boolean {
  const outcome = findOutcome(context);
  return (
    outcome.kind === "rejected" && ["secret_missing", "setting_missing"].includes(outcome.reason)
  );
}

function findOutcome({
  hook,
  caught,
  hookKey,
  handshake,
  seen,
}: HandshakeContext): HandshakeOutcome {
  const [catchUrl = ""] = caught.publicUrl.split("?", 1);
  const { key = null, settings = {} } = hook.handshakes ?? {};
  return buildHandshakeResponse(handshake, seen, {
    verifyToken: toVerifyToken(hookKey),
    catchUrl,
    key,
    settings,
  });
}

async function keepSecret(
  context: HandshakeContext,
  { secret, response }: Extract<HandshakeOutcome, { kind: "keepSecret" }>,
  effects: HandshakeEffects,
): Promise<RecordedHandshake> {
  const { hook, caught, handshake, verification } = context;
  if (await effects.keepSecret(hook, secret))
    return { delivery: recordHandshake(hook, caught, verification, handshake.name), response };
  const detail =
    "This hook isn't awaiting a secret, so the handshake secret was " +
    "ignored. If you set up the provider again, create a new hook.";
  return rejectHandshake(
    context,
    reject("signature_invalid", detail, { reason: "secret_not_expected" }),
  );
}

/** Removes the handshake secret from the record. */
function withoutSecret(
  { delivery, response }: RecordedHandshake,
  secret: string,
): RecordedHandshake {
  const { headersJson, body } = delivery;
  const secrets = [secret];
  return {
    delivery: {
      ...delivery,
      headersJson: redactText(headersJson, secrets),
      body: redactBytes(body, secrets),
    },
    response,
  };
}

function rejectHandshake(
  { hook, caught, verification }: HandshakeContext,
  rejection: Rejection,
): RecordedHandshake {
  const verdict = verification === "pending" ? null : verification;
  const rejected = rejectDelivery(hook, caught, rejection, verdict);
  return { delivery: rejected.delivery, response: rejected.rejection ?? rejection };
}

const codes = {
  challenge_malformed: "invalid_request",
  secret_malformed: "invalid_request",
  confirm_url_refused: "invalid_request",
  verify_token_mismatch: "signature_invalid",
  secret_missing: "signature_invalid",
  setting_missing: "signature_invalid",
} as const satisfies Record<HandshakeRejection, ErrorCode>;

const notConfirmed = rejectUnavailable(
  "The provider's confirmation URL didn't respond with success. Send the confirmation again.",
);
