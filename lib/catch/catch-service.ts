import type { IncomingMessage } from "node:http";
import type { AllowList } from "#lib/core/address/allow-list.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/store-deliveries.ts";
import { newId } from "#lib/ids.ts";
import type { CatchHook } from "./catch-hook.ts";
import { type CatchResult, hookNotFound, refuse, refuseUnavailable } from "./catch-result.ts";
import { type CatchTarget, parseCatchTarget } from "./catch-target.ts";
import { readClientAddress } from "./client-address.ts";
import type { Committed, GroupCommit } from "./group-commit.ts";
import type { HookCache } from "./hook-cache.ts";
import {
  type CaughtRequest,
  type Judgement,
  judgeVerified,
  rejectDelivery,
  rejectSignature,
  verifyRequest,
} from "./judge-delivery.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { announcedLength, type BodyReader, type BodyResult } from "./read-body.ts";
import type { RejectionBudget } from "./rejection-budget.ts";

export type CatchServiceParts = {
  readonly hooks: HookCache;
  readonly bodies: BodyReader;
  readonly commits: GroupCommit<NewDelivery, StoredDelivery>;
  readonly rejections: RejectionBudget;
  /** Wrong URLs by address: guessing keys is slow, whoever tries. */
  readonly misses: RateLimiter;
  readonly hookRate: RateLimiter;
  readonly trustedProxies: AllowList;
  /** Without a trailing slash. */
  readonly publicOrigin: string;
  readonly maxBodyBytes: number;
  readonly now: () => number;
};

type Found = { readonly target: Extract<CatchTarget, { ok: true }>; readonly hook: CatchHook };

/** One request to the catch endpoint, from its first byte to its durable end. It never throws for what a sender does. */
export class CatchService {
  readonly #parts: CatchServiceParts;

  constructor(parts: CatchServiceParts) {
    this.#parts = parts;
  }

  async handle(request: IncomingMessage): Promise<CatchResult> {
    const receivedAtMs = this.#parts.now();
    const target = parseCatchTarget(request.url ?? "");
    if (!target.ok) return refuse(target.code, target.detail, { closes: true });
    const sourceIp = this.#readSourceIp(request);
    const { hooks } = this.#parts;
    try {
      const { accountSlug, hookKey } = target;
      const hook = hooks.peek(accountSlug, hookKey) ?? (await hooks.loadFresh(accountSlug, hookKey));
      if (hook === null) return this.#refuseUnknown(sourceIp);
      return await this.#handleKnown(request, { target, hook }, receivedAtMs, sourceIp);
    } catch (error) {
      // Only the database can have failed here. The sender comes back; nothing has been acknowledged.
      return {
        ...refuseUnavailable("The database can't be reached just now. Send the delivery again."),
        cause: error,
      };
    }
  }

  #readSourceIp(request: IncomingMessage): string {
    const peer = request.socket.remoteAddress ?? "";
    if (this.#parts.trustedProxies.length === 0 && !peer.startsWith("::ffff:")) return peer;
    return readClientAddress(peer, request.headersDistinct["x-forwarded-for"], this.#parts.trustedProxies);
  }

  #refuseUnknown(sourceIp: string): CatchResult {
    const retryAfterSeconds = this.#parts.misses.take(sourceIp);
    if (retryAfterSeconds === 0) return { ...hookNotFound, closes: true };
    const detail = "Too many requests to catch URLs that do not exist came from this address.";
    return refuse("rate_limited", detail, { retryAfterSeconds, closes: true });
  }

  async #handleKnown(
    request: IncomingMessage,
    found: Found,
    receivedAtMs: number,
    sourceIp: string,
  ): Promise<CatchResult> {
    const { target } = found;
    const caught = (body: Uint8Array): CaughtRequest => ({
      deliveryId: newId(),
      receivedAtMs,
      method: request.method ?? "",
      publicUrl: `${this.#parts.publicOrigin}${request.url}`,
      path: target.path,
      query: target.query,
      headers: request.headersDistinct,
      rawHeaders: request.rawHeaders,
      body,
      sourceIp,
    });
    const early = await this.#refuseEarly(request, found, caught);
    if (early !== null) return early;
    const read = await this.#parts.bodies.read(request);
    if (!read.ok) return this.#refuseBody(found.hook, caught, read.reason);
    return this.#commit(found.hook, await this.#judge(found, caught(read.body)));
  }

  /** What can be said without the body, so that it need not be read. */
  async #refuseEarly(
    request: IncomingMessage,
    { target, hook }: Found,
    caught: (body: Uint8Array) => CaughtRequest,
  ): Promise<CatchResult | null> {
    const { hooks, hookRate, maxBodyBytes } = this.#parts;
    const method = request.method ?? "";
    let current: CatchHook | null = hook;
    if (hook.isDisabled || !hook.methods.includes(method)) {
      current = await hooks.loadFresh(target.accountSlug, target.hookKey);
      if (current === null) return { ...hookNotFound, closes: true };
      if (current.isDisabled) {
        const detail =
          "The owner of this hook has disabled it. Enable it in the dashboard to receive deliveries again.";
        return refuse("hook_disabled", detail, { closes: true });
      }
    }
    const retryAfterSeconds = hookRate.take(hook.id);
    if (retryAfterSeconds > 0) {
      const detail = "This hook gets more deliveries than its limit allows. Send it again later.";
      return refuse("rate_limited", detail, { retryAfterSeconds, closes: true });
    }
    if (!current.methods.includes(method)) {
      const refusal = refuse("method_not_allowed", `This hook takes ${current.methods.join(", ")} only.`, {
        allow: current.methods,
        closes: true,
      });
      return this.#commit(hook, rejectDelivery(hook, caught(empty), "method_not_allowed", refusal));
    }
    if (announcedLength(request) > maxBodyBytes) return this.#refuseBody(hook, caught, "too_large");
    return null;
  }

  async #refuseBody(
    hook: CatchHook,
    caught: (body: Uint8Array) => CaughtRequest,
    reason: Extract<BodyResult, { ok: false }>["reason"],
  ): Promise<CatchResult> {
    if (reason !== "too_large") {
      const detail =
        "The body did not arrive whole, or too slowly. Nothing was stored; send the delivery again.";
      return refuse("request_timeout", detail, { closes: true });
    }
    const detail = `The body is larger than ${this.#parts.maxBodyBytes} bytes. The limit is CATCHMENT_MAX_BODY_BYTES.`;
    const refusal = refuse("body_too_large", detail, { closes: true });
    return this.#commit(hook, rejectDelivery(hook, caught(empty), "body_too_large", refusal));
  }

  /** A refusal is never decided on a remembered hook alone: its secret may have been changed a moment ago. */
  async #judge({ target, hook }: Found, request: CaughtRequest): Promise<Judgement> {
    const verdict = verifyRequest(hook, request);
    if (verdict?.outcome !== "failed") return judgeVerified(hook, request, verdict);
    const fresh = await this.#parts.hooks.loadFresh(target.accountSlug, target.hookKey);
    if (fresh === null || fresh === hook) return rejectSignature(hook, request, verdict);
    const second = verifyRequest(fresh, request);
    return second?.outcome === "failed"
      ? rejectSignature(fresh, request, second)
      : judgeVerified(fresh, request, second);
  }

  async #commit(hook: CatchHook, { delivery, refusal }: Judgement): Promise<CatchResult> {
    if (refusal !== null && !this.#parts.rejections.take(hook, delivery.reason ?? refusal.code))
      return refusal;
    const committed = await this.#parts.commits.submit(delivery);
    if (!committed.ok) return refuseUnstored(committed);
    if (refusal !== null) return refusal;
    const { id, status, duplicateOf } = committed.result;
    if (status !== "duplicate" || duplicateOf === null) {
      return { outcome: "accepted", deliveryId: id, response: hook.response };
    }
    return { outcome: "duplicate", deliveryId: id, originalDeliveryId: duplicateOf, response: hook.response };
  }
}

const empty = Buffer.alloc(0);

function refuseUnstored(committed: Extract<Committed<StoredDelivery>, { ok: false }>): CatchResult {
  switch (committed.reason) {
    case "lane_full": {
      const detail =
        "More deliveries of this hook are waiting to be stored than may wait at once. Send it again.";
      return refuse("rate_limited", detail, { retryAfterSeconds: 2 });
    }
    case "full":
      return refuseUnavailable(
        "More deliveries are waiting to be stored than may wait at once. Send it again.",
      );
    case "timeout":
      return refuseUnavailable("The database did not answer in time. Send the delivery again.");
    case "failed":
      return {
        ...refuseUnavailable("The delivery could not be stored just now. Send it again."),
        cause: committed.error,
      };
    default:
      return committed.reason satisfies never;
  }
}
