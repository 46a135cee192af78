import { randomBytes } from "node:crypto";
import { isSameSecret } from "#lib/base/is-same-secret.ts";
import { callbackHeader } from "#lib/core/sending/event-occurrence.ts";
import { readSigningKey, signEvent } from "#lib/core/sending/sign-event.ts";
import type { HttpClient } from "../http-client.ts";

type Callback = {
  readonly url: string;
  readonly secret: string;
  readonly callbackId: string;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
};

/** Why a callback isn't verified: a word of SEP-3415, which tells nothing of what the host responded. */
type CallbackFault =
  | "connection_refused"
  | "timeout"
  | "tls_error"
  | "http_4xx"
  | "http_5xx"
  | "challenge_failed";

const timeoutMs = 10_000;

/**
 * Asks a callback whether it wants events: it echoes the challenge of a signed envelope, so that no one subscribes
 * someone else's server (SEP-3415, endpoint verification). Null: it does.
 */
export async function verifyCallback(
  client: Pick<HttpClient, "call">,
  { url, secret, callbackId, version }: Callback,
): Promise<CallbackFault | null> {
  const challenge = randomBytes(24).toString("base64url");
  const body = Buffer.from(JSON.stringify({ type: "verification", challenge }));
  const signed = signEvent({
    id: `msg_verification_${randomBytes(12).toString("base64url")}`,
    timestamp: Math.floor(Date.now() / 1_000),
    body,
    keys: [readSigningKey("hmac", secret)],
  });
  const headers: [string, string][] = [
    ["content-type", "application/json"],
    ["user-agent", `Catchment/${version}`],
    callbackHeader(callbackId),
    ...signed,
  ];
  const result = await client.call({ method: "POST", url, headers, body }, { timeoutMs });
  if (!result.ok) {
    if (result.error.code === "timeout") return "timeout";
    return result.error.code.startsWith("tls") ? "tls_error" : "connection_refused";
  }
  const { status, body: echoed } = result.response;
  if (status >= 500) return "http_5xx";
  if (status >= 400) return "http_4xx";
  const isEcho = status < 300 && isSameSecret(readChallenge(echoed), challenge);
  return isEcho ? null : "challenge_failed";
}

function readChallenge(body: Uint8Array): string {
  try {
    const { challenge } = Object(JSON.parse(Buffer.from(body).toString("utf8"))) as {
      challenge?: unknown;
    };
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}
