import {
  answerHandshake,
  type HandshakeAnswer,
  type HandshakeOutcome,
  type HandshakeRefusal,
} from "#lib/core/handshake/answer-handshake.ts";
import { findHandshake } from "#lib/core/handshake/find-handshake.ts";
import type { Handshake } from "#lib/core/handshake/handshake.ts";
import type { HandshakeRequest } from "#lib/core/handshake/read-field.ts";
import { toVerifyToken } from "#lib/core/handshake/verify-token.ts";
import { type Payload, readPayload } from "#lib/core/payload/read-payload.ts";
import { redactBytes, redactText } from "#lib/core/redact/redact-text.ts";
import type { NewDelivery } from "#lib/db/store-deliveries.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { CatchHook } from "./catch-hook.ts";
import { type Refusal, refuse, refuseUnavailable } from "./catch-result.ts";
import { type CaughtRequest, recordHandshake, rejectDelivery, type Standing } from "./judge-delivery.ts";

/** What a handshake may have to be answered with. Neither rejects but for trouble with the store. */
export type HandshakeEffects = {
  /** Keeps the secret that a sender gave. False: the hook does not wait for one. */
  readonly keepSecret: (hook: CatchHook, secret: string) => Promise<boolean>;
  /** Calls a URL of the sender. False: it was not answered with success. */
  readonly confirmUrl: (url: string) => Promise<boolean>;
};

export type Greeting = {
  readonly hook: CatchHook;
  readonly caught: CaughtRequest;
  readonly hookKey: string;
  readonly handshake: Handshake;
  /** What was seen of the request; without a payload where the body told nothing. */
  readonly seen: HandshakeRequest;
  readonly standing: Standing;
};

export type Shaken = {
  readonly delivery: NewDelivery;
  readonly answer: HandshakeAnswer | Refusal;
};

/** No unsigned handshake is longer. What is, is not parsed before it is verified. */
const mostUnsignedBytes = 4_096;

/** A handshake by its unsigned body; only small ones are looked at. */
export function findUnsigned(
  { handshakes }: CatchHook,
  caught: CaughtRequest,
): { readonly handshake: Handshake; readonly payload: Payload } | null {
  if (handshakes === null || handshakes.unsigned.length === 0) return null;
  if (caught.body.byteLength > mostUnsignedBytes) return null;
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

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Answers a handshake, and makes the record of it. Where it can't be told yet what to answer the sender has to come back. */
export async function shakeHands(greeting: Greeting, effects: HandshakeEffects): Promise<Shaken | Refusal> {
  const { hook, caught, handshake, standing } = greeting;
  const outcome = answerGreeting(greeting);
  switch (outcome.kind) {
    case "answer":
      return { delivery: recordHandshake(hook, caught, standing, handshake.name), answer: outcome.answer };
    case "keepSecret":
      return withoutSecret(await keepSecret(greeting, outcome, effects), outcome.secret);
    case "confirmUrl":
      if (!(await effects.confirmUrl(outcome.url))) return notConfirmed;
      return { delivery: recordHandshake(hook, caught, standing, handshake.name), answer: outcome.answer };
    case "refused":
      return reject(greeting, refuse(codes[outcome.reason], outcome.detail, { reason: outcome.reason }));
    default:
      return outcome satisfies never;
  }
}

/** Whether only a change of the hook could make another answer of it: then it is read afresh before it refuses. */
export function lacksSecret(greeting: Greeting): boolean {
  const outcome = answerGreeting(greeting);
  return outcome.kind === "refused" && ["secret_missing", "setting_missing"].includes(outcome.reason);
}

function answerGreeting({ hook, caught, hookKey, handshake, seen }: Greeting): HandshakeOutcome {
  const [catchUrl = ""] = caught.publicUrl.split("?", 1);
  const { key = null, settings = {} } = hook.handshakes ?? {};
  return answerHandshake(handshake, seen, { verifyToken: toVerifyToken(hookKey), catchUrl, key, settings });
}

async function keepSecret(
  greeting: Greeting,
  { secret, answer }: Extract<HandshakeOutcome, { kind: "keepSecret" }>,
  effects: HandshakeEffects,
): Promise<Shaken> {
  const { hook, caught, handshake, standing } = greeting;
  if (await effects.keepSecret(hook, secret))
    return { delivery: recordHandshake(hook, caught, standing, handshake.name), answer };
  const detail =
    "This hook does not wait for a secret, so the one that came was not taken. If the sender was set up anew, make a new hook for it.";
  return reject(greeting, refuse("signature_invalid", detail, { reason: "secret_not_expected" }));
}

/** The one that was taken is sealed elsewhere; one that was not is none of ours to keep. */
function withoutSecret({ delivery, answer }: Shaken, secret: string): Shaken {
  const { headersJson, body } = delivery;
  const secrets = [secret];
  return {
    delivery: {
      ...delivery,
      headersJson: redactText(headersJson, secrets),
      body: redactBytes(body, secrets),
    },
    answer,
  };
}

function reject({ hook, caught, standing }: Greeting, refusal: Refusal): Shaken {
  const verdict = standing === "pending" ? null : standing;
  const rejected = rejectDelivery(hook, caught, refusal, verdict);
  return { delivery: rejected.delivery, answer: rejected.refusal ?? refusal };
}

const codes = {
  challenge_malformed: "invalid_request",
  secret_malformed: "invalid_request",
  confirm_url_refused: "invalid_request",
  verify_token_mismatch: "signature_invalid",
  secret_missing: "signature_invalid",
  setting_missing: "signature_invalid",
} as const satisfies Record<HandshakeRefusal, ErrorCode>;

const notConfirmed = refuseUnavailable(
  "The sender's confirmation URL did not answer with success. Nothing was confirmed; send it again.",
);
