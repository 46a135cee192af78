import type { IncomingMessage } from "node:http";
import type { Payload } from "#lib/core/mapping/payload/read-payload.ts";
import { toClientNetwork } from "#lib/core/sending/address/client-network.ts";
import type { Verdict } from "#lib/core/verify/verify.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { type CheckedEvaluation, evaluateChecked } from "#lib/evaluate/check-published.ts";
import {
  type CaughtRequest,
  type EvaluatedDelivery,
  rejectDelivery,
  rejectSignature,
  type VerificationState,
} from "#lib/evaluate/evaluate-delivery.ts";
import { readClientAddress } from "#lib/ingress/client-address.ts";
import type { Committed } from "#lib/ingress/group-commit.ts";
import { type BodyResult, declaredLength } from "#lib/ingress/read-body.ts";
import { type Rejection, reject, rejectUnavailable } from "#lib/ingress/rejection.ts";
import { type CatchContext, toCaught, type Verified, verifyCaught } from "./catch-context.ts";
import {
  bodyIncomplete,
  type CatchResult,
  type Caught,
  hookDisabled,
  hookNotFound,
  keyUnavailable,
  rejectRate,
  rejectTooLarge,
  rejectUnchecked,
  tooManyBodies,
  unreadable,
} from "./catch-result.ts";
import type { CatchServiceParts } from "./catch-service-parts.ts";
import { parseCatchTarget } from "./catch-target.ts";
import { findCorsHeaders, isPreflight, respondToPreflight } from "./cors.ts";
import {
  findUnread,
  findUnsigned,
  type HandshakeContext,
  lacksSecret,
  respondToHandshake,
  takesRequest,
  toHandshakeResult,
} from "./respond-to-handshake.ts";
import { rejectUnstored, toResult } from "./stored-result.ts";

/** Handles one request to the catch endpoint until it is stored durably. Never throws. */
export class CatchService {
  readonly #parts: CatchServiceParts;

  constructor(parts: CatchServiceParts) {
    this.#parts = parts;
  }

  async handle(request: IncomingMessage): Promise<Caught> {
    const receivedAtMs = this.#parts.now();
    const target = parseCatchTarget(request.url ?? "");
    if (!target.ok) return { hookId: null, result: hookNotFound };
    let context: CatchContext | null = null;
    try {
      const cached = this.#parts.hooks.peek(target.accountSlug, target.hookKey);
      const hook = cached ?? (await this.#parts.hooks.find(target.accountSlug, target.hookKey));
      const sourceIp = this.#readSourceIp(request);
      if (hook === null) return { hookId: null, result: this.#rejectUnknown(sourceIp) };
      const waitedMs = cached === undefined ? this.#parts.now() - receivedAtMs : 0;
      context = { request, target, receivedAtMs, sourceIp, hook, waitedMs };
      const result = await this.#handleKnown(context);
      return { hookId: hook.id, result, corsHeaders: findCorsHeaders(context.hook, request) };
    } catch (cause) {
      // The database is unavailable. Nothing was acknowledged, so the provider retries.
      const detail = "The hook can't be loaded right now. Send the delivery again.";
      return {
        hookId: context?.hook.id ?? null,
        result: rejectUnavailable(detail, { cause, closes: true }),
      };
    }
  }

  #readSourceIp(request: IncomingMessage): string {
    const peer = request.socket.remoteAddress ?? "";
    const { trustedProxies } = this.#parts;
    const forwardedFor =
      trustedProxies.length === 0 ? undefined : request.headersDistinct["x-forwarded-for"];
    return readClientAddress(peer, forwardedFor, trustedProxies);
  }

  #rejectUnknown(sourceIp: string): Rejection {
    const retryAfterSeconds = this.#parts.misses.take(toClientNetwork(sourceIp));
    if (retryAfterSeconds === 0) return hookNotFound;
    const detail = "Too many requests to unknown catch URLs from this address.";
    return reject("rate_limited", detail, { retryAfterSeconds, closes: true });
  }

  async #handleKnown(context: CatchContext): Promise<CatchResult> {
    if (context.hook.isDisabled || !takesRequest(context)) {
      if (!(await this.#refresh(context))) return hookNotFound;
      if (context.hook.isDisabled) return hookDisabled;
    }
    const exceeded = this.#parts.rates.take(context.hook, context.sourceIp);
    if (exceeded !== null) {
      this.#parts.rejections.count(context.hook, "rate_limited");
      return rejectRate(exceeded);
    }
    if (isPreflight(context.request)) return respondToPreflight(context.hook, context.request);
    const handshake = findUnread(context);
    if (handshake !== null) {
      const caught = this.#toCaught(context, empty);
      const match = { caught, verification: null, handshake, payload: null };
      return this.#respondToHandshake(context, match);
    }
    if (!takesRequest(context)) {
      const { methods } = context.hook;
      const detail = `This hook only accepts ${methods.join(", ")}.`;
      return this.#rejectUnread(
        context,
        reject("method_not_allowed", detail, { allow: methods, closes: true }),
      );
    }
    return await this.#parts.bodies.withBody(
      context.request,
      declaredLength(context.request),
      (read) =>
        read.ok ? this.#handleRead(context, read.body) : this.#rejectBody(context, read.reason),
    );
  }

  #handleRead(context: CatchContext, body: Uint8Array): Promise<CatchResult> {
    const caught = this.#toCaught(context, body);
    // A sample can't be signed without a secret, but its mark proves that it is ours.
    if (caught.isSample && context.hook.pending !== null)
      return this.#evaluate(context, caught, verifiedSample);
    const match = findUnsigned(context.hook, caught);
    if (match !== null)
      return this.#respondToHandshake(context, { caught, verification: null, ...match });
    return context.hook.pending === null
      ? this.#verify(context, caught)
      : this.#handlePending(context, caught);
  }

  async #handlePending(context: CatchContext, caught: CaughtRequest): Promise<CatchResult> {
    // The secret may just have been added, so never store as pending based on the cached hook.
    if (!(await this.#refresh(context))) return hookNotFound;
    return context.hook.pending?.hasRoom === true
      ? this.#evaluate(context, caught, "pending")
      : this.#verify(context, caught);
  }

  /** Verifies a request. Synchronous in most cases, so that a request costs no promise. */
  #verify(context: CatchContext, caught: CaughtRequest): Promise<CatchResult> {
    const verified = verifyCaught(context, caught, this.#parts);
    return verified instanceof Promise
      ? verified.then((verdict) => this.#evaluateVerified(context, caught, verdict))
      : this.#evaluateVerified(context, caught, verified);
  }

  #evaluateVerified(
    context: CatchContext,
    caught: CaughtRequest,
    verdict: Verified,
  ): Promise<CatchResult> {
    if (verdict === "unavailable") return Promise.resolve(keyUnavailable);
    return verdict?.outcome === "failed"
      ? this.#verifyAgain(context, caught)
      : this.#evaluate(context, caught, verdict);
  }

  /** The secret may just have changed, so never reject based on the cached hook. */
  async #verifyAgain(context: CatchContext, caught: CaughtRequest): Promise<CatchResult> {
    if (!(await this.#refresh(context))) return hookNotFound;
    const verdict = await verifyCaught(context, caught, this.#parts);
    if (verdict === "unavailable") return keyUnavailable;
    return verdict?.outcome === "failed"
      ? this.#store(context, rejectSignature(context.hook, caught, verdict))
      : this.#evaluate(context, caught, verdict);
  }

  /** Evaluates a request that is verified or pending. */
  #evaluate(
    context: CatchContext,
    caught: CaughtRequest,
    verification: VerificationState,
  ): Promise<CatchResult> {
    const startedAtMs = this.#parts.now();
    const evaluation = evaluateChecked(context.hook, caught, verification, this.#parts);
    if (!(evaluation instanceof Promise))
      return this.#respond(context, caught, verification, evaluation);
    return evaluation.then((evaluated) => {
      context.waitedMs += this.#parts.now() - startedAtMs;
      return this.#respond(context, caught, verification, evaluated);
    });
  }

  /** A delivery is stored before its response is known. */
  #respond(
    context: CatchContext,
    caught: CaughtRequest,
    verification: VerificationState,
    evaluation: CheckedEvaluation,
  ): Promise<CatchResult> {
    switch (evaluation.kind) {
      case "delivery":
        return this.#store(context, evaluation);
      case "handshake":
        return this.#respondToHandshake(context, { caught, verification, ...evaluation });
      case "unreadable":
        return Promise.resolve(unreadable);
      case "unchecked":
        return Promise.resolve(rejectUnchecked(evaluation.cause));
      default:
        return evaluation satisfies never;
    }
  }

  async #respondToHandshake(
    context: CatchContext,
    { caught, verification, handshake, payload }: HandshakeMatch,
  ): Promise<CatchResult> {
    const toHandshakeContext = (): HandshakeContext => ({
      hook: context.hook,
      hookKey: context.hook.keyOfPath ?? context.target.hookKey,
      caught,
      handshake,
      seen: { ...caught, payload },
      verification,
    });
    if (lacksSecret(toHandshakeContext()) && !(await this.#refresh(context))) return hookNotFound;
    const responded = await respondToHandshake(toHandshakeContext(), this.#parts.handshakes);
    if ("outcome" in responded) return responded;
    const { delivery, response, isForListener = false } = responded;
    if ("outcome" in response) return this.#store(context, { delivery, rejection: response });
    // Anyone can send handshakes, so recording them has the same limits as rejections.
    const kept = this.#parts.rejections.take(context.hook, delivery, "handshake");
    const stored = kept === null ? null : await this.#submit(context, kept);
    return toHandshakeResult(context.hook, response, { stored, isForListener });
  }

  async #rejectBody(
    context: CatchContext,
    reason: Extract<BodyResult, { ok: false }>["reason"],
  ): Promise<CatchResult> {
    switch (reason) {
      case "too_large":
        return this.#rejectUnread(context, rejectTooLarge(this.#parts.maxBodyBytes));
      case "no_room":
        return tooManyBodies;
      case "stalled":
      case "aborted":
        return bodyIncomplete;
      default:
        return reason satisfies never;
    }
  }

  #rejectUnread(context: CatchContext, rejection: Rejection): Promise<CatchResult> {
    return this.#store(
      context,
      rejectDelivery(context.hook, this.#toCaught(context, empty), rejection),
    );
  }

  #toCaught(context: CatchContext, body: Uint8Array): CaughtRequest {
    return toCaught(context, body, this.#parts.publicOrigin);
  }

  /** Reloads the hook. False: it no longer exists. */
  async #refresh(context: CatchContext): Promise<boolean> {
    const startedAtMs = this.#parts.now();
    const fresh = await this.#parts.hooks.load(context.target.accountSlug, context.target.hookKey);
    context.waitedMs += this.#parts.now() - startedAtMs;
    if (fresh === null) return false;
    context.hook = fresh;
    return true;
  }

  async #store(
    context: CatchContext,
    { delivery, rejection }: EvaluatedDelivery,
  ): Promise<CatchResult> {
    const reason = delivery.reason ?? rejection?.code ?? "";
    const kept =
      rejection === null ? delivery : this.#parts.rejections.take(context.hook, delivery, reason);
    if (kept === null && rejection !== null) return rejection;
    const committed = await this.#submit(context, kept ?? delivery);
    if (!committed.ok) return rejectUnstored(committed);
    return rejection ?? toResult(committed.result, context.hook, delivery);
  }

  #submit(context: CatchContext, delivery: NewDelivery): Promise<Committed<StoredDelivery>> {
    const { commits, maxStorageMs } = this.#parts;
    return commits.submit(delivery, Math.max(0, maxStorageMs - context.waitedMs));
  }
}

const verifiedSample: Verdict = { outcome: "verified", scheme: "sample" };

/** A request that matches a handshake. */
type HandshakeMatch = Pick<HandshakeContext, "caught" | "verification" | "handshake"> & {
  readonly payload: Payload | null;
};

const empty = Buffer.alloc(0);
