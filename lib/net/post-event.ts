import { parseRetryAfter } from "#lib/core/sending/retry/parse-retry-after.ts";
import { readSigningKey, signEvent } from "#lib/core/sending/sign-event.ts";
import type { CallResult } from "./call-result.ts";
import type { HttpClient } from "./http-client.ts";

export type PostParts = {
  readonly client: Pick<HttpClient, "call">;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
};

export type PostResult =
  | { readonly ok: true; readonly message: string }
  | {
      readonly ok: false;
      /** A sentence for the admin of the receiver. */
      readonly message: string;
      /** The same message would fail again. */
      readonly isPermanent: boolean;
      /** The wait that the receiver asked for. */
      readonly retryAfterMs: number | null;
    };

type SignedEvent = {
  /** The same for each try. It has no dot. */
  readonly id: string;
  readonly payload: object;
  readonly secret: string;
};

const timeoutMs = 15_000;

/** Posts an event that is signed like those of subscriptions. Never throws. */
export async function postSigned(
  url: string,
  { id, payload, secret }: SignedEvent,
  parts: PostParts,
): Promise<PostResult> {
  const body = Buffer.from(JSON.stringify(payload));
  const timestamp = Math.floor(Date.now() / 1_000);
  const keys = [readSigningKey("hmac", secret)];
  return await call(url, body, signEvent({ id, timestamp, body, keys }), parts);
}

/** Posts JSON. Never throws. */
export async function postJson(
  url: string,
  payload: object,
  parts: PostParts,
): Promise<PostResult> {
  return await call(url, Buffer.from(JSON.stringify(payload)), [], parts);
}

async function call(
  url: string,
  body: Uint8Array,
  headers: readonly [string, string][],
  { client, version }: PostParts,
): Promise<PostResult> {
  const sent = [
    ["content-type", "application/json"],
    ["user-agent", `Catchment/${version}`],
    ...headers,
  ] as const;
  const request = { method: "POST", url, headers: sent, body };
  return toResult(await client.call(request, { timeoutMs, maxResponseBytes: 4_096 }));
}

function toResult(result: CallResult): PostResult {
  if (!result.ok) {
    const { code, message } = result.error;
    const isPermanent = ["blocked", "self_call", "invalid_request"].includes(code);
    return { ok: false, message, isPermanent, retryAfterMs: null };
  }
  const { status, headers } = result.response;
  const message = `The receiver responded with ${status}.`;
  if (status >= 200 && status < 300) return { ok: true, message };
  const retryAfter = headers.find(([name]) => name === "retry-after")?.[1];
  const isPermanent = status < 500 && ![408, 425, 429].includes(status);
  return { ok: false, message, isPermanent, retryAfterMs: parseRetryAfter(retryAfter, Date.now()) };
}
