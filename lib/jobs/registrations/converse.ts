import { endSentence } from "#lib/base/end-sentence.ts";
import { toAuthHeader } from "#lib/core/mapping/build-request/build-headers.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import {
  type Ask,
  isRejection,
  type Registrar,
  type Reply,
  type Talk,
} from "#lib/core/providers/registrars/registrar.ts";
import {
  type SavedCredential,
  toRequestAuth,
} from "#lib/core/sending/credential/saved-credential.ts";
import { parseRetryAfter } from "#lib/core/sending/retry/parse-retry-after.ts";
import type { CallResponse } from "#lib/net/call-result.ts";
import type { CredentialCalls } from "#lib/net/credentials/credential-calls.ts";

/**
 * Why a conversation ended early. `wait`: asking again may help. `end`: a person has to do something. `not_found`: so
 * says the provider, which may pass if it has worked before.
 */
export type Stop = {
  readonly kind: "wait" | "end" | "not_found";
  readonly reason: string;
  /** The wait that the provider asked for. Null: none. */
  readonly waitMs: number | null;
};

export type Said<Value> = { readonly kind: "value"; readonly value: Value } | Stop;

type Line = {
  readonly calls: CredentialCalls;
  readonly registrar: Registrar;
  readonly credential: SavedCredential & { readonly name: string };
  readonly signal: AbortSignal;
};

const timeoutMs = 15_000;
const maxResponseBytes = 4 * 1024 * 1024;
const maxAsks = 600;

/** Asks a provider one thing after the other, until it has said all, or no. */
export async function converse<Value>(line: Line, talk: Talk<Value>): Promise<Said<Value>> {
  let step = talk.next();
  for (let asks = 0; step.done !== true; asks += 1) {
    if (asks >= maxAsks) return stop("end", `${line.registrar.name} has too much to ask for.`);
    const reply = await askOnce(line, step.value);
    if ("kind" in reply) return reply;
    step = talk.next(reply);
  }
  const said = step.value;
  if (!isRejection(said)) return { kind: "value", value: said };
  return stop(
    said.isPassing ? "wait" : "end",
    `${line.registrar.name} ${endSentence(said.rejection)}`,
  );
}

async function askOnce(line: Line, ask: Ask): Promise<Reply | Stop> {
  const { calls, registrar, credential, signal } = line;
  const request = toRequest(ask, credential);
  // A write that is sent twice may make two webhooks.
  const isOnce = ask.method !== "GET";
  const options = { timeoutMs, signal, maxResponseBytes, isOnce };
  const { result } = await calls.call(request, credential, options);
  if (!result.ok)
    return stop("wait", `${registrar.name} can't be reached: ${result.error.message}`);
  const { response } = result;
  const isSuccess = response.status >= 200 && response.status < 300;
  if (isSuccess || (ask.mayBeGone === true && response.status === 404))
    return { status: response.status, json: readJson(response) };
  return explainRejection(registrar, credential.name, response);
}

function toRequest({ method, path, query, body }: Ask, { origin, auth }: SavedCredential) {
  const search = query === undefined ? "" : `?${toForm(query)}`;
  const sent = toRequestAuth(auth);
  const header = sent === null ? null : toAuthHeader(sent);
  const written = body === undefined ? null : writeBody(body);
  return {
    method,
    url: `${origin}${path}${search}`,
    headers: [
      ["Accept", "application/json"] as const,
      // GitHub refuses requests without one.
      ["User-Agent", "Catchment"] as const,
      ...(written === null ? [] : [["Content-Type", written.type] as const]),
      ...(header === null ? [] : [header]),
    ],
    body: written === null ? null : Buffer.from(written.text),
  };
}

function writeBody(body: NonNullable<Ask["body"]>) {
  if ("form" in body) return { type: "application/x-www-form-urlencoded", text: toForm(body.form) };
  const written = stringifyExactJson(body.json);
  if (!written.ok) throw new Error("A provider's file makes no JSON.");
  return { type: "application/json", text: written.text };
}

function toForm(pairs: readonly (readonly [name: string, value: string])[]): string {
  return new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
}

function readJson({ body, truncated }: CallResponse): Reply["json"] {
  if (truncated) return null;
  const parsed = parseExactJson(Buffer.from(body).toString("utf8"));
  return parsed.ok ? parsed.value : null;
}

/** One sentence for each way in which a provider rejects. */
function explainRejection(
  { name }: Registrar,
  credentialName: string,
  response: CallResponse,
): Stop {
  const { status, headers } = response;
  const find = (name: string) => headers.find(([header]) => header === name)?.[1];
  const waitMs = parseRetryAfter(find("retry-after"), Date.now());
  // GitHub also says with 403 that it is asked too often.
  const isLimit = status === 429 || (status === 403 && (waitMs !== null || isUsedUp(find)));
  if (isLimit) return stop("wait", `${name} limits how often it may be asked (${status}).`, waitMs);
  if (status >= 500) return stop("wait", `${name} is out of order (${status}).`, waitMs);
  if (status === 401)
    return stop(
      "end",
      `${name} doesn't accept the credential “${credentialName}” (401). Give it a key that works.`,
    );
  if (status === 403)
    return stop(
      "end",
      `${name} doesn't let the credential “${credentialName}” change webhooks (403). Give its key this right.`,
    );
  const said = readMessage(response);
  const detail = said === null ? "" : `: ${said}`;
  const kind = status === 404 ? "not_found" : "end";
  return stop(kind, `${name} rejected the request with ${status}${endSentence(detail)}`);
}

function isUsedUp(find: (name: string) => string | undefined): boolean {
  return find("x-ratelimit-remaining") === "0";
}

/** `{"error": {"message"}}` of Stripe, `{"message"}` of GitHub and GitLab, or `{"errors": [{"message"}]}` of Asana. */
function readMessage(response: CallResponse): string | null {
  const json = readJson(response);
  const outer = asRecord(json);
  const inner = asRecord(outer?.error);
  const [first] = Array.isArray(outer?.errors) ? outer.errors : [];
  const message = inner?.message ?? outer?.message ?? asRecord(first)?.message ?? null;
  return typeof message === "string" && message !== "" ? message.slice(0, maxMessage) : null;
}

const maxMessage = 300;

function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null ? { ...value } : null;
}

function stop(kind: Stop["kind"], reason: string, waitMs: number | null = null): Stop {
  return { kind, reason, waitMs };
}
