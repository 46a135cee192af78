import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import { redactText } from "#lib/core/people/redact/redact-text.ts";
import { toBasic } from "#lib/core/sending/credential/saved-credential.ts";
import type { AuthOf } from "#lib/schema/act/credential.ts";
import type { CallResponse, CallResult } from "../call-result.ts";
import type { HttpClient } from "../http-client.ts";

type TokenOwner = {
  /** The credential's id and version. */
  readonly key: string;
  readonly auth: AuthOf<"oauth2">;
};

type TokenResult =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly message: string };

type Entry = {
  token: string;
  /** The token isn't used after this time. */
  staleAtMs: number;
  inFlight: Promise<TokenResult> | null;
};

const late: TokenResult = {
  ok: false,
  message: "The token server didn't answer within the deadline of the call.",
};

const maxTokens = 1_000;
/** The longest time that a call waits for its token. One that comes later than a call is there for the next. */
export const maxTokenMs = 10_000;
const maxReplyBytes = 64 * 1024;
/** The lifetime of a token without `expires_in`, which RFC 6749 §5.1 doesn't define. */
const defaultSeconds = 300;
const maxSeconds = 86_400;
/**
 * Tokens are replaced this long before they expire, because a call may still be on its way then.
 */
const marginSeconds = 30;

/**
 * Access tokens of OAuth 2 client credentials (RFC 6749 §4.4), kept only in memory. Each is fetched
 * with the guarded client, once however many calls wait for it, and kept until shortly before it
 * expires.
 */
export class AccessTokens {
  readonly #client: Pick<HttpClient, "call">;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(client: Pick<HttpClient, "call">, now: () => number = Date.now) {
    this.#client = client;
    this.#now = now;
  }

  /** @param refused a token that the receiver has just rejected. It isn't returned again */
  async get(owner: TokenOwner, timeoutMs: number, refused?: string): Promise<TokenResult> {
    const entry = this.#entryOf(owner.key);
    if (entry.token !== "" && entry.token === refused) entry.token = "";
    if (entry.token !== "" && this.#now() < entry.staleAtMs)
      return { ok: true, token: entry.token };
    entry.inFlight ??= this.#fetch(owner, entry).finally(() => {
      entry.inFlight = null;
    });
    // Other calls wait for the same token, so this one's deadline doesn't end the fetch.
    return await withTimeLimit(entry.inFlight, timeoutMs, () => late);
  }

  async #fetch({ auth }: TokenOwner, entry: Entry): Promise<TokenResult> {
    const result = await this.#client.call(toTokenRequest(auth), {
      timeoutMs: maxTokenMs,
      maxResponseBytes: maxReplyBytes,
    });
    const read = readToken(result);
    if ("message" in read) {
      const hidden = [auth.clientSecret, toBasic(auth.clientId, auth.clientSecret)];
      return { ok: false, message: redactText(read.message, hidden) };
    }
    const seconds = Math.min(read.seconds ?? defaultSeconds, maxSeconds);
    // A token that is valid for a few seconds is used for half of them.
    const usable = Math.max(seconds - marginSeconds, seconds / 2);
    entry.token = read.token;
    entry.staleAtMs = this.#now() + usable * 1_000;
    return { ok: true, token: read.token };
  }

  /** The least recently used entry makes room for a new one. */
  #entryOf(key: string): Entry {
    const entry = this.#entries.get(key) ?? { token: "", staleAtMs: 0, inFlight: null };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxTokens && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }
}

function toTokenRequest(auth: AuthOf<"oauth2">) {
  const { tokenUrl, clientId, clientSecret, scope, audience, clientAuth } = auth;
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (scope !== null) form.set("scope", scope);
  if (audience !== null) form.set("audience", audience);
  const headers: [string, string][] = [
    ["accept", "application/json"],
    ["content-type", "application/x-www-form-urlencoded"],
  ];
  if (clientAuth === "basic")
    headers.push(["authorization", `Basic ${toBasic(clientId, clientSecret)}`]);
  else {
    form.set("client_id", clientId);
    form.set("client_secret", clientSecret);
  }
  return { method: "POST", url: tokenUrl, headers, body: Buffer.from(form.toString()) };
}

type ReadToken =
  | { readonly token: string; readonly seconds: number | null }
  | { readonly message: string };

function readToken(result: CallResult): ReadToken {
  if (!result.ok) return { message: `The token server can't be reached. ${result.error.message}` };
  const { status } = result.response;
  const response = readJson(result.response);
  if (status !== 200)
    return { message: `The token server refused: ${explainRejection(status, response)}` };
  const { access_token: token, token_type: type, expires_in: expiresIn } = response;
  if (typeof token !== "string" || !/^[\x21-\x7e]{1,16384}$/.test(token))
    return { message: "The token server's answer has no access token." };
  if (typeof type === "string" && type.toLowerCase() !== "bearer")
    return { message: "The token server gave a token that isn't a bearer token." };
  const seconds = Number(expiresIn);
  return { token, seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null };
}

function readJson({ body }: CallResponse): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

const maxReasonChars = 300;

/** RFC 6749 §5.2. */
function explainRejection(status: number, response: Readonly<Record<string, unknown>>): string {
  const { error, error_description: description } = response;
  const parts = [error, description].filter((part) => typeof part === "string" && part !== "");
  const reason = parts.join(", ").slice(0, maxReasonChars);
  return reason === "" ? `status ${status}.` : `${reason} (status ${status}).`;
}
