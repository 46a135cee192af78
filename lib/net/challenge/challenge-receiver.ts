import { isSameSecret } from "#lib/base/is-same-secret.ts";
import type { CallResponse } from "../call-result.ts";
import type { HttpClient } from "../http-client.ts";
import type { ClientIdentity } from "../identity-connections.ts";

type Challenge = {
  readonly receiverUrl: string;
  /** Random text that only this receiver sees. */
  readonly challenge: string;
  /** Our host name, for the CloudEvents handshake. */
  readonly origin: string;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
  /** The client certificate of its calls. */
  readonly identity?: ClientIdentity;
};

/** `cause` is for the log only: with it, anyone who may enter URLs could look for open ports. */
type ChallengeResult = { readonly ok: true } | { readonly ok: false; readonly cause: string };

const challengeHeader = "webhook-challenge";
const timeoutMs = 10_000;

/**
 * Asks a receiver URL whether it wants events, so that no one can point a subscription at someone
 * else's server. It agrees in one of two ways:
 *
 * - it echoes the header `webhook-challenge` of a POST, in the same header, as the whole body, or as
 *   `{"challenge"}`
 * - it allows our origin when asked with OPTIONS: the handshake of CloudEvents
 *   (https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md#4-abuse-protection)
 */
export async function challengeReceiver(
  client: HttpClient,
  { receiverUrl, challenge, origin, version, identity }: Challenge,
): Promise<ChallengeResult> {
  const how = { timeoutMs, ...(identity !== undefined && { identity }) };
  const userAgent = ["user-agent", `Catchment/${version}`] as const;
  const echoed = await client.call(
    {
      method: "POST",
      url: receiverUrl,
      headers: [["content-type", "application/json"], userAgent, [challengeHeader, challenge]],
      body: Buffer.from(JSON.stringify({ type: "webhook.challenge", challenge }), "utf8"),
    },
    how,
  );
  if (!echoed.ok) return { ok: false, cause: echoed.error.code };
  const { status } = echoed.response;
  if (isSuccess(status) && hasEcho(echoed.response, challenge)) return { ok: true };
  const asked = await client.call(
    {
      method: "OPTIONS",
      url: receiverUrl,
      headers: [userAgent, ["webhook-request-origin", origin]],
      body: null,
    },
    how,
  );
  if (asked.ok && isSuccess(asked.response.status) && allows(asked.response.headers, origin))
    return { ok: true };
  return { ok: false, cause: `HTTP ${status}` };
}

function hasEcho({ headers, body }: CallResponse, challenge: string): boolean {
  const text = Buffer.from(body).toString("utf8", 0, maxReplyBytes).trim();
  const candidates = [...valuesOf(headers, challengeHeader), text, readField(text)];
  return candidates.some((given) => isSameSecret(given, challenge));
}

const maxReplyBytes = 4_096;

/** The field `challenge` of a JSON response. */
function readField(text: string): string {
  try {
    const { challenge } = Object(JSON.parse(text)) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}

function allows(headers: CallResponse["headers"], origin: string): boolean {
  return valuesOf(headers, "webhook-allowed-origin").some(
    (allowed) => allowed.trim() === "*" || allowed.trim().toLowerCase() === origin.toLowerCase(),
  );
}

function valuesOf(headers: CallResponse["headers"], wanted: string): readonly string[] {
  return headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
