import type { IncomingMessage } from "node:http";
import type { AllowList } from "#lib/core/address/allow-list.ts";
import { toClientNetwork } from "#lib/core/address/client-network.ts";
import { findHandshake } from "#lib/core/handshake/find-handshake.ts";
import type { Payload } from "#lib/core/payload/read-payload.ts";
import type { KeySource, SigningKeys } from "#lib/core/verify/signing-key.ts";
import type { Verdict } from "#lib/core/verify/verify.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/store-deliveries.ts";
import { newId } from "#lib/ids.ts";
import type { CatchHook } from "./catch-hook.ts";
import {
  bodyIncomplete,
  type CatchResult,
  type Caught,
  hookDisabled,
  hookNotFound,
  keyUnavailable,
  malformed,
  type Refusal,
  refuse,
  refuseUnavailable,
} from "./catch-result.ts";
import { type CatchTarget, parseCatchTarget } from "./catch-target.ts";
import { readClientAddress } from "./client-address.ts";
import type { Committed, GroupCommit } from "./group-commit.ts";
import type { HookCache } from "./hook-cache.ts";
import {
  type CaughtRequest,
  type Judged,
  type Judgement,
  judgeDelivery,
  rejectDelivery,
  rejectSignature,
  type Standing,
  verifyRequest,
} from "./judge-delivery.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { BodyReader, BodyResult } from "./read-body.ts";
import type { RejectionBudget } from "./rejection-budget.ts";
import {
  findUnsigned,
  type Greeting,
  type HandshakeEffects,
  lacksSecret,
  shakeHands,
} from "./shake-hands.ts";
import { refuseUnstored, toResult } from "./stored-result.ts";

export type CatchServiceParts = {
  readonly hooks: HookCache;
  readonly bodies: BodyReader;
  readonly commits: GroupCommit<NewDelivery, StoredDelivery>;
  readonly rejections: RejectionBudget;
  readonly signingKeys: SigningKeys;
  readonly handshakes: HandshakeEffects;
  /** Wrong URLs by address: guessing keys is slow, whoever tries. */
  readonly misses: RateLimiter;
  readonly hookRate: RateLimiter;
  readonly trustedProxies: AllowList;
  /** Without a trailing slash. */
  readonly publicOrigin: string;
  readonly maxBodyBytes: number;
  /** How long one request may wait for the database in all, in milliseconds. */
  readonly maxStorageMs: number;
  readonly now: () => number;
};

/** One request on its way. `waitedMs` is what the database has cost it so far. */
type Way = {
  readonly request: IncomingMessage;
  readonly target: Extract<CatchTarget, { ok: true }>;
  readonly receivedAtMs: number;
  readonly sourceIp: string;
  hook: CatchHook;
  waitedMs: number;
};

/** One request to the catch endpoint, from its first byte to its durable end. It never throws. */
export class CatchService {
  readonly #parts: CatchServiceParts;

  constructor(parts: CatchServiceParts) {
    this.#parts = parts;
  }

  async handle(request: IncomingMessage): Promise<Caught> {
    const receivedAtMs = this.#parts.now();
    const target = parseCatchTarget(request.url ?? "");
    if (!target.ok) return { hookId: null, result: target.reason === "malformed" ? malformed : hookNotFound };
    let way: Way | null = null;
    try {
      const remembered = this.#parts.hooks.peek(target.accountSlug, target.hookKey);
      const hook = remembered ?? (await this.#parts.hooks.load(target.accountSlug, target.hookKey));
      const sourceIp = this.#readSourceIp(request);
      if (hook === null) return { hookId: null, result: this.#refuseUnknown(sourceIp) };
      const waitedMs = remembered === undefined ? this.#parts.now() - receivedAtMs : 0;
      way = { request, target, receivedAtMs, sourceIp, hook, waitedMs };
      return { hookId: hook.id, result: await this.#handleKnown(way) };
    } catch (cause) {
      // The database can't be asked. The sender comes back; nothing has been acknowledged.
      const detail = "The hook can't be looked up just now. Send the delivery again.";
      return { hookId: way?.hook.id ?? null, result: refuseUnavailable(detail, { cause, closes: true }) };
    }
  }

  #readSourceIp(request: IncomingMessage): string {
    const peer = request.socket.remoteAddress ?? "";
    const { trustedProxies } = this.#parts;
    const forwardedFor = trustedProxies.length === 0 ? undefined : request.headersDistinct["x-forwarded-for"];
    return readClientAddress(peer, forwardedFor, trustedProxies);
  }

  #refuseUnknown(sourceIp: string): Refusal {
    const retryAfterSeconds = this.#parts.misses.take(toClientNetwork(sourceIp));
    if (retryAfterSeconds === 0) return hookNotFound;
    const detail = "Too many requests to catch URLs that do not exist came from this address.";
    return refuse("rate_limited", detail, { retryAfterSeconds, closes: true });
  }

  async #handleKnown(way: Way): Promise<CatchResult> {
    const method = way.request.method ?? "";
    if (way.hook.isDisabled || !way.hook.methods.includes(method)) {
      if (!(await this.#refresh(way))) return hookNotFound;
      if (way.hook.isDisabled) return hookDisabled;
    }
    const retryAfterSeconds = this.#parts.hookRate.take(way.hook.id);
    if (retryAfterSeconds > 0) {
      const detail = "This hook gets more deliveries than its limit allows. Send it again later.";
      return refuse("rate_limited", detail, { retryAfterSeconds, closes: true });
    }
    const greeted = this.#findUnread(way);
    if (greeted !== null) return this.#shake(way, greeted);
    const { methods } = way.hook;
    if (!methods.includes(method)) {
      const detail = `This hook takes ${methods.join(", ")} only.`;
      return this.#rejectUnread(way, refuse("method_not_allowed", detail, { allow: methods, closes: true }));
    }
    return this.#parts.bodies.withBody(way.request, announcedLength(way.request), (read) =>
      read.ok ? this.#handleRead(way, read.body) : this.#refuseBody(way, read.reason),
    );
  }

  async #handleRead(way: Way, body: Uint8Array): Promise<CatchResult> {
    const caught = this.#toCaught(way, body);
    const greeted = findUnsigned(way.hook, caught);
    if (greeted !== null) return this.#shake(way, { caught, standing: null, ...greeted });
    if (way.hook.pending !== null) {
      // What it lacks may be there since a moment ago: nothing is kept unverified on a remembered hook alone.
      if (!(await this.#refresh(way))) return hookNotFound;
      if (way.hook.pending?.hasRoom === true) return this.#conclude(way, caught, "pending");
    }
    const verified = this.#verify(way, caught);
    const verdict = verified instanceof Promise ? await verified : verified;
    if (verdict === "unavailable") return keyUnavailable;
    if (verdict?.outcome !== "failed") return this.#conclude(way, caught, verdict);
    // A refusal is never decided on a remembered hook alone: its secret may have been changed a moment ago.
    if (!(await this.#refresh(way))) return hookNotFound;
    const second = await this.#verify(way, caught);
    if (second === "unavailable") return keyUnavailable;
    if (second?.outcome === "failed") return this.#commit(way, rejectSignature(way.hook, caught, second));
    return this.#conclude(way, caught, second);
  }

  /** What was verified, or is kept until it can be. */
  #conclude(way: Way, caught: CaughtRequest, standing: Standing): Promise<CatchResult> {
    const finish = (judgement: Judgement) =>
      judgement.kind === "delivery"
        ? this.#commit(way, judgement)
        : this.#shake(way, { caught, standing, ...judgement });
    const judgement = judgeDelivery(way.hook, caught, standing);
    return judgement instanceof Promise ? judgement.then(finish) : finish(judgement);
  }

  /** A handshake that shows in method, URL and headers. It needs none of the hook's methods and no body. */
  #findUnread(way: Way): Greeted | null {
    const { handshakes } = way.hook;
    if (handshakes === null || handshakes.unread.length === 0) return null;
    const { method = "", headersDistinct: headers } = way.request;
    const seen = { method, query: way.target.query, headers, payload: null };
    const handshake = findHandshake(handshakes.unread, seen);
    if (handshake === null) return null;
    return { caught: this.#toCaught(way, empty), standing: null, handshake, payload: null };
  }

  async #shake(way: Way, { caught, standing, handshake, payload }: Greeted): Promise<CatchResult> {
    const greet = (): Greeting => ({
      hook: way.hook,
      hookKey: way.target.hookKey,
      caught,
      handshake,
      seen: { ...caught, payload },
      standing,
    });
    if (lacksSecret(greet()) && !(await this.#refresh(way))) return hookNotFound;
    const shaken = await shakeHands(greet(), this.#parts.handshakes);
    if ("outcome" in shaken) return shaken;
    const { delivery, answer } = shaken;
    if ("outcome" in answer) return this.#commit(way, { delivery, refusal: answer });
    // Strangers can send as many as they like, so they are recorded within the same bounds as what is refused.
    const record = { reason: "handshake", bytes: delivery.body.byteLength };
    const isRecorded = this.#parts.rejections.take(way.hook, record) && (await this.#store(way, delivery)).ok;
    return { outcome: "handshake", deliveryId: isRecorded ? delivery.id : null, answer };
  }

  /** "unavailable": it takes a key of the sender that can't be fetched just now, so nothing can be said. */
  #verify(way: Way, caught: CaughtRequest): MaybeVerified | Promise<MaybeVerified> {
    const verdict = verifyRequest(way.hook, caught, this.#parts.signingKeys.find);
    // Nothing to wait for in by far the most cases.
    return verdict?.outcome === "needsKey" ? this.#verifyWithKey(way, caught, verdict.source) : verdict;
  }

  async #verifyWithKey(way: Way, caught: CaughtRequest, source: KeySource): Promise<MaybeVerified> {
    const { signingKeys, now, maxStorageMs } = this.#parts;
    const startedAtMs = now();
    await signingKeys.load(source, Math.max(0, maxStorageMs / 2 - way.waitedMs));
    way.waitedMs += now() - startedAtMs;
    const second = verifyRequest(way.hook, caught, signingKeys.find);
    return second?.outcome === "needsKey" ? "unavailable" : second;
  }

  async #refuseBody(way: Way, reason: Extract<BodyResult, { ok: false }>["reason"]): Promise<CatchResult> {
    switch (reason) {
      case "too_large": {
        const detail = `The body is larger than ${this.#parts.maxBodyBytes} bytes. The limit is CATCHMENT_MAX_BODY_BYTES.`;
        return this.#rejectUnread(way, refuse("body_too_large", detail, { closes: true }));
      }
      case "no_room":
        return refuseUnavailable("Too many large bodies arrive at once. Send the delivery again.", {
          closes: true,
        });
      case "stalled":
      case "aborted":
        return bodyIncomplete;
      default:
        return reason satisfies never;
    }
  }

  #rejectUnread(way: Way, refusal: Refusal): Promise<CatchResult> {
    return this.#commit(way, rejectDelivery(way.hook, this.#toCaught(way, empty), refusal));
  }

  #toCaught({ request, target, receivedAtMs, sourceIp }: Way, body: Uint8Array): CaughtRequest {
    return {
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
    };
  }

  /** Reads the hook as it is now. False: it is there no more. */
  async #refresh(way: Way): Promise<boolean> {
    const startedAtMs = this.#parts.now();
    const fresh = await this.#parts.hooks.load(way.target.accountSlug, way.target.hookKey);
    way.waitedMs += this.#parts.now() - startedAtMs;
    if (fresh === null) return false;
    way.hook = fresh;
    return true;
  }

  async #commit(way: Way, { delivery, refusal }: Judged): Promise<CatchResult> {
    if (refusal !== null) {
      const record = { reason: delivery.reason ?? refusal.code, bytes: delivery.body.byteLength };
      if (!this.#parts.rejections.take(way.hook, record)) return refusal;
    }
    const committed = await this.#store(way, delivery);
    if (!committed.ok) return refuseUnstored(committed);
    return refusal ?? toResult(committed.result, way.hook.response);
  }

  #store(way: Way, delivery: NewDelivery): Promise<Committed<StoredDelivery>> {
    const { commits, maxStorageMs } = this.#parts;
    return commits.submit(delivery, Math.max(0, maxStorageMs - way.waitedMs));
  }
}

type MaybeVerified = Verdict | null | "unavailable";

/** A request that was found to be a handshake. */
type Greeted = Pick<Greeting, "caught" | "standing" | "handshake"> & { readonly payload: Payload | null };

const empty = Buffer.alloc(0);

/** The length that the sender announced; NaN for a chunked body. */
function announcedLength({ headersDistinct }: IncomingMessage): number {
  const length = headersDistinct["content-length"]?.[0];
  if (length !== undefined) return Number(length);
  return headersDistinct["transfer-encoding"] === undefined ? 0 : Number.NaN;
}
