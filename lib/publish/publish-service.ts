import type { IncomingMessage } from "node:http";
import type { ApiResponse } from "#lib/core/api/api-response.ts";
import {
  badKeyDetail,
  isIdempotencyKey,
  isJsonType,
  notJsonDetail,
} from "#lib/core/api/request-headers.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import type { PublishedEvent, ReadEvents } from "#lib/core/sending/read-published-event.ts";
import type { EventCatalog } from "#lib/event-schemas/event-catalog.ts";
import { readClientAddress } from "#lib/ingress/client-address.ts";
import type { RateLimits } from "#lib/ingress/rate-limits.ts";
import { type BodyReader, type BodyResult, declaredLength } from "#lib/ingress/read-body.ts";
import { type Rejection, reject, rejectUnavailable } from "#lib/ingress/rejection.ts";
import { eventLimits } from "#lib/schema/send/event.ts";
import { commitEvents, type PublishCommits } from "./commit-events.ts";
import { rejectMismatches } from "./mismatches.ts";
import {
  rejectUnstored,
  toBatchResponse,
  toEventResponse,
  toProblemResponse,
} from "./publish-response.ts";
import type { PublishTarget } from "./publish-target.ts";
import { type PublishedRequest, toNewEvents } from "./to-new-events.ts";
import type { Publisher, TokenFinder } from "./token-finder.ts";

type PublishServiceParts = {
  readonly tokens: TokenFinder;
  readonly bodies: Readonly<Record<PublishTarget, BodyReader>>;
  readonly commits: PublishCommits;
  readonly rates: RateLimits;
  /** Reads the events of a body. Null: it took too long. */
  readonly readEvents: (
    accountId: string,
    target: PublishTarget,
    body: Uint8Array,
  ) => Promise<ReadEvents | null>;
  readonly catalog: EventCatalog;
  readonly trustedProxies: AllowList;
  /** Total wait of one request for the database and threads, in milliseconds. */
  readonly maxStorageMs: number;
  readonly now: () => number;
};

/** The result of a request, used for its response and the log. */
export type Published = {
  readonly response: ApiResponse;
  readonly accountId: string | null;
  readonly events: number;
  /** The ids of its events, if they were stored. */
  readonly eventIds: readonly string[];
  /** An unexpected error, never for the response. */
  readonly cause?: unknown;
};

type PublishContext = {
  readonly request: IncomingMessage;
  readonly target: PublishTarget;
  readonly startedAtMs: number;
  /** The time for reading the body, which has its own limit. */
  readingMs: number;
  accountId: string | null;
  events: number;
  eventIds: readonly string[];
};

/** Handles one request that publishes, until its events are stored durably. Never throws. */
export class PublishService {
  readonly #parts: PublishServiceParts;

  constructor(parts: PublishServiceParts) {
    this.#parts = parts;
  }

  async handle(request: IncomingMessage, target: PublishTarget): Promise<Published> {
    const startedAtMs = this.#parts.now();
    const context: PublishContext = {
      request,
      target,
      startedAtMs,
      readingMs: 0,
      accountId: null,
      events: 0,
      eventIds: [],
    };
    const result = await this.#publish(context).catch(rejectUnchecked);
    const { accountId, events, eventIds } = context;
    if (!("outcome" in result)) return { response: result, accountId, events, eventIds };
    const response = toProblemResponse(result);
    return { response, accountId, events, eventIds, cause: result.cause };
  }

  async #publish(context: PublishContext): Promise<ApiResponse | Rejection> {
    const { request, target } = context;
    const publisher = await this.#authenticate(request);
    if ("outcome" in publisher) return publisher;
    const { accountId } = publisher;
    context.accountId = accountId;
    const idempotencyKey = readHeader(request, "idempotency-key");
    const rejection = checkRequest(request, idempotencyKey);
    if (rejection !== null) return rejection;
    const published = { accountId, target, idempotencyKey, receivedAtMs: context.startedAtMs };
    const readFromMs = this.#parts.now();
    return await this.#parts.bodies[target].withBody(request, declaredLength(request), (read) => {
      context.readingMs = this.#parts.now() - readFromMs;
      return this.#publishBody(context, published, read);
    });
  }

  async #authenticate(request: IncomingMessage): Promise<Publisher | Rejection> {
    const sourceIp = this.#readSourceIp(request);
    const publisher = await this.#parts.tokens.find(readHeader(request, "authorization"), sourceIp);
    if ("outcome" in publisher) return publisher;
    const account = { id: publisher.accountId, ratePerSecond: null };
    const exceeded = this.#parts.rates.take(account, sourceIp);
    if (exceeded === null) return publisher;
    const who = exceeded.who === "hook" ? "account" : "client address";
    const { retryAfterSeconds } = exceeded;
    const detail = `This ${who} exceeded its rate limit. Try again later.`;
    return reject("rate_limited", detail, { retryAfterSeconds });
  }

  #readSourceIp(request: IncomingMessage): string {
    const { trustedProxies } = this.#parts;
    const forwardedFor =
      trustedProxies.length === 0 ? undefined : request.headersDistinct["x-forwarded-for"];
    return readClientAddress(request.socket.remoteAddress ?? "", forwardedFor, trustedProxies);
  }

  async #publishBody(
    context: PublishContext,
    published: PublishedRequest,
    read: BodyResult,
  ): Promise<ApiResponse | Rejection> {
    if (!read.ok) return rejectBody(read.reason, context.target);
    const { accountId, target } = published;
    const body = read.body.byteLength === 0 ? noFields : read.body;
    const parsed = await this.#parts.readEvents(accountId, target, body);
    if (parsed === null) return rejectUnavailable("Reading the body took too long. Publish again.");
    if (!parsed.ok) {
      const { code, detail, errors } = parsed.problem;
      return reject(code, detail, { errors });
    }
    return await this.#store(context, published, parsed.events);
  }

  async #store(
    context: PublishContext,
    published: PublishedRequest,
    sent: readonly PublishedEvent[],
  ): Promise<ApiResponse | Rejection> {
    const { commits, maxStorageMs, now } = this.#parts;
    const { accountId, target } = published;
    context.events = sent.length;
    const checks = await this.#parts.catalog.check(accountId, sent);
    if (checks === "busy")
      return rejectUnavailable("Too many events are waiting to be checked. Try again.");
    const findings = checks.map(({ finding }) => finding);
    const mismatch = rejectMismatches(findings, target);
    if (mismatch !== null) return mismatch;
    const events = toNewEvents(published, sent, checks);
    const endsAtMs = context.startedAtMs + context.readingMs + maxStorageMs;
    const committed = await commitEvents(commits, { accountId, events }, () => endsAtMs - now());
    if (!committed.ok) return rejectUnstored(committed);
    context.eventIds = events.map(({ id }) => id);
    const [event] = events;
    const [stored] = committed.result;
    return target === "event" && event !== undefined && stored !== undefined
      ? toEventResponse(event, stored)
      : toBatchResponse(events, committed.result);
  }
}

/** An empty body counts as an object without fields, as in all API calls. */
const noFields = Buffer.from("{}");

function readHeader({ headersDistinct }: IncomingMessage, name: string): string | null {
  return headersDistinct[name]?.join(", ") ?? null;
}

/**
 * The rejection while the database is unavailable. Nothing was acknowledged, so the publisher tries
 * again.
 */
function rejectUnchecked(cause: unknown): Rejection {
  return rejectUnavailable("The API token can't be checked right now. Publish again.", { cause });
}

function checkRequest(
  { headers, url = "" }: IncomingMessage,
  idempotencyKey: string | null,
): Rejection | null {
  const [, query = ""] = url.split("?", 2);
  if (query !== "") return rejectQuery(query);
  if (!isJsonType(headers["content-type"] ?? null))
    return reject("unsupported_media_type", notJsonDetail);
  if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey))
    return reject("invalid_request", badKeyDetail);
  return null;
}

function rejectQuery(query: string): Rejection {
  const [name = ""] = new URLSearchParams(query).keys();
  return reject("invalid_request", `${name}: Unknown field.`, {
    errors: [{ path: name, code: "unknown_field", message: "Unknown field", name }],
  });
}

function rejectBody(
  reason: Extract<BodyResult, { ok: false }>["reason"],
  target: PublishTarget,
): Rejection {
  switch (reason) {
    case "too_large": {
      const limit = target === "event" ? eventLimits.bytes : eventLimits.batchBytes;
      const detail = `The body of this request must have at most ${limit} bytes.`;
      return reject("body_too_large", detail);
    }
    case "no_room":
      return rejectUnavailable("Too many large requests at once. Publish again.");
    case "stalled":
    case "aborted":
      return reject(
        "request_timeout",
        "The body was incomplete or too slow, so nothing was published. Publish again.",
      );
    default:
      return reason satisfies never;
  }
}
