import type { IncomingMessage } from "node:http";
import { newId } from "#lib/base/ids.ts";
import { sampleHeader } from "#lib/core/providers/samples/sample-mark.ts";
import type { SigningKeys } from "#lib/core/verify/scheme/signing-key.ts";
import type { Verdict } from "#lib/core/verify/verify.ts";
import type { CatchHook } from "#lib/evaluate/catch-hook.ts";
import { type CaughtRequest, verifyRequest } from "#lib/evaluate/evaluate-delivery.ts";
import type { CatchTarget } from "./catch-target.ts";

/** The state of one request. `waitedMs` is its database wait so far. */
export type CatchContext = {
  readonly request: IncomingMessage;
  readonly target: Extract<CatchTarget, { ok: true }>;
  readonly receivedAtMs: number;
  readonly sourceIp: string;
  hook: CatchHook;
  waitedMs: number;
};

/** @param publicOrigin without a trailing slash */
export function toCaught(
  { request, target, receivedAtMs, sourceIp, hook }: CatchContext,
  body: Uint8Array,
  publicOrigin: string,
): CaughtRequest {
  const [mark] = request.headersDistinct[sampleHeader] ?? [];
  return {
    deliveryId: newId(),
    receivedAtMs,
    method: request.method ?? "",
    publicUrl: `${publicOrigin}${request.url}`,
    path: target.path,
    query: target.query,
    headers: request.headersDistinct,
    rawHeaders: request.rawHeaders,
    body,
    sourceIp,
    isSample: mark !== undefined && hook.isSample(mark, body, receivedAtMs),
  };
}

type VerifyParts = {
  readonly signingKeys: SigningKeys;
  readonly maxStorageMs: number;
  readonly now: () => number;
};

/** Null: the hook doesn't verify. "unavailable": the provider's key can't be fetched right now. */
export type Verified = Verdict | null | "unavailable";

/** Verifies a request. Synchronous in most cases. Waits if the provider's key has to be fetched. */
export function verifyCaught(
  context: CatchContext,
  caught: CaughtRequest,
  parts: VerifyParts,
): Verified | Promise<Verified> {
  const verdict = verifyRequest(context.hook, caught, parts.signingKeys.find);
  if (verdict?.outcome !== "needsKey") return verdict;
  const { signingKeys, now, maxStorageMs } = parts;
  const startedAtMs = now();
  const maxWaitMs = Math.max(0, maxStorageMs / 2 - context.waitedMs);
  return signingKeys.load(verdict.source, maxWaitMs, context.hook.id).then(() => {
    context.waitedMs += now() - startedAtMs;
    const second = verifyRequest(context.hook, caught, signingKeys.find);
    return second?.outcome === "needsKey" ? "unavailable" : second;
  });
}
