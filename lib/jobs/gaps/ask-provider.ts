import { toAuthHeader } from "#lib/core/mapping/build-request/build-headers.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type {
  AskedPage,
  EventList,
  EventPage,
} from "#lib/core/providers/event-lists/event-list.ts";
import { findEventList } from "#lib/core/providers/event-lists/find-event-list.ts";
import { toRequestAuth } from "#lib/core/sending/credential/saved-credential.ts";
import { openCredential } from "#lib/core/sending/credential/seal-credential.ts";
import { parseRetryAfter } from "#lib/core/sending/retry/parse-retry-after.ts";
import { toDedupeKey } from "#lib/core/verify/dedupe/dedupe-key.ts";
import type { ComparedEvent, LeasedGap } from "#lib/db/gaps/work-gaps.ts";
import { findAcceptingHook } from "#lib/db/hooks/evaluation-hook.ts";
import type { EvaluationParts } from "#lib/evaluate/stored/evaluate-stored.ts";
import type { CallResponse } from "#lib/net/call-result.ts";
import { CredentialCalls } from "#lib/net/credentials/credential-calls.ts";
import type { EvaluationOptions } from "../evaluation-parts.ts";
import { createFetchedEvaluation, type EvaluateFetched } from "./evaluate-fetched.ts";
import { overlapMs } from "./find-place.ts";

type PageReply =
  | {
      readonly kind: "page";
      readonly events: readonly ComparedEvent[];
      readonly next: string | null;
      readonly pauseMs: number;
    }
  | { readonly kind: "wait"; readonly reason: string; readonly waitMs: number | null }
  | { readonly kind: "end"; readonly reason: string };

/** Asks for the next page of a search, and says by which key the hook knows each event. */
export type AskProvider = (gap: LeasedGap, signal: AbortSignal) => Promise<PageReply>;

const timeoutMs = 30_000;
const maxPageBytes = 32 * 1024 * 1024;
const maxEvents = 250_000;
/** Of missing events, whose bodies are kept until they are taken in. */
const maxStoredBytes = 512 * 1024 * 1024;

export function createAsking(
  { db, sealer, client }: EvaluationOptions,
  parts: EvaluationParts,
): AskProvider {
  const calls = new CredentialCalls(client);
  return async (gap, signal) => {
    const list = findEventList(gap.provider);
    if (list === null) return end(`Catchment can't ask ${gap.provider} for its events.`);
    const { credential } = gap;
    if (credential === null)
      return end("The credential was deleted. Save another one, and search again.");
    if (gap.eventCount > maxEvents || gap.storedBytes > maxStoredBytes)
      return end(`${list.name} lists too many events for one search. Choose a shorter time.`);
    const hook = await findAcceptingHook(db, gap.accountId, gap.hookId);
    if (hook === null) return end("The hook was deleted.");
    const { id, version, origin } = credential;
    const ciphertext = Buffer.from(credential.ciphertext, "base64");
    const auth = openCredential(sealer, { id, accountId: gap.accountId, ciphertext });
    const asked = toAsked(gap);
    const sent = toRequestAuth(auth);
    const header = sent === null ? null : toAuthHeader(sent);
    const request = {
      method: "GET",
      url: toUrl(origin, list, asked),
      headers: [["Accept", "application/json"] as const, ...(header === null ? [] : [header])],
      body: null,
    };
    const options = { timeoutMs, signal, maxResponseBytes: maxPageBytes };
    const { result } = await calls.call(request, { id, version, origin, auth }, options);
    if (!result.ok) return wait(`${list.name} can't be reached: ${result.error.message}`);
    const { response } = result;
    if (response.status !== 200) return explainRejection(list, credential.name, response);
    const page = readPage(list, response, asked);
    if (page === null)
      return wait(`${list.name} responded with something else than a list of events.`);
    const evaluate = await createFetchedEvaluation(db, { ...hook, publish: null }, parts);
    const events = await compare(page, asked, evaluate);
    if (events === null)
      return end(`The hook's rule finds no identity in an event of ${list.name}. Check the rule.`);
    return { kind: "page", events, next: page.next, pauseMs: list.pauseMs };
  };
}

/** Null: an event has no identity, so it isn't known whether it is here. */
async function compare(
  { events }: EventPage,
  { fromMs, toMs }: AskedPage,
  evaluate: EvaluateFetched,
): Promise<readonly ComparedEvent[] | null> {
  const compared: ComparedEvent[] = [];
  for (const { body, occurredAtMs, headers, redeliverAt } of events) {
    if (occurredAtMs < fromMs - secondMs || occurredAtMs > toMs + secondMs) continue;
    const written = stringifyExactJson(body);
    if (!written.ok) return null;
    const found = await evaluate({ body: Buffer.from(written.text), host: "", headers });
    if (found === null || found.keyHash === null) return null;
    const key = toDedupeKey(found.hookId, found.keyHash);
    const { eventId, eventType } = found;
    const kept = redeliverAt === undefined ? written.text : JSON.stringify({ redeliverAt });
    compared.push({ key, eventId, eventType, occurredAtMs, body: kept });
  }
  return compared;
}

/** Providers count in seconds. */
const secondMs = 1_000;

function toAsked({ fromMs, toMs, cursor, isSecondLook, webhook }: LeasedGap): AskedPage {
  return {
    fromMs: isSecondLook ? Math.max(fromMs, toMs - overlapMs) : fromMs,
    toMs,
    cursor,
    webhook,
  };
}

function toUrl(origin: string, list: EventList, asked: AskedPage): string {
  const { path, query } = list.toRequest(asked);
  return `${origin}${path}?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`;
}

function readPage(list: EventList, response: CallResponse, asked: AskedPage) {
  const { body, truncated, headers } = response;
  if (truncated) return null;
  const parsed = parseExactJson(Buffer.from(body).toString("utf8"));
  const link = headers.find(([name]) => name === "link")?.[1] ?? null;
  return parsed.ok ? list.readPage(parsed.value, asked, link) : null;
}

/** One sentence for each way in which a provider rejects. */
function explainRejection(
  { name }: EventList,
  credentialName: string,
  { status, headers }: CallResponse,
): PageReply {
  if (status === 401)
    return end(
      `${name} doesn't accept the credential “${credentialName}” (401). Give it a key that works, and search again.`,
    );
  const retryAfter = headers.find(([header]) => header === "retry-after")?.[1];
  const waitMs = parseRetryAfter(retryAfter, Date.now());
  const remaining = headers.find(([header]) => header === "x-ratelimit-remaining")?.[1];
  // GitHub limits with 403, too.
  if (status === 403 && (waitMs !== null || remaining === "0"))
    return wait(`${name} limits how often it may be asked (403).`, waitMs);
  if (status === 403)
    return end(
      `${name} doesn't let the credential “${credentialName}” read events (403). ` +
        "Give its key this right, and search again.",
    );
  if (status === 404)
    return end(`${name} knows no such list (404). Check the webhook and the credential's rights.`);
  if (status === 429) return wait(`${name} limits how often it may be asked (429).`, waitMs);
  if (status >= 500) return wait(`${name} is out of order (${status}).`, waitMs);
  return end(`${name} rejected the request with ${status}. Search again with another time.`);
}

function end(reason: string): PageReply {
  return { kind: "end", reason };
}

function wait(reason: string, waitMs: number | null = null): PageReply {
  return { kind: "wait", reason, waitMs };
}
