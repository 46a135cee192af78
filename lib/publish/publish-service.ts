import type { IncomingMessage } from "node:http";
import type { AllowList } from "#lib/core/address/allow-list.ts";
import { type ApiAnswer, appErrorAnswer, problemAnswer } from "#lib/core/api/api-answer.ts";
import { readIdempotencyKey, requireJsonType } from "#lib/core/api/request-headers.ts";
import type { PublishedEvent, ReadEvents } from "#lib/core/sender/read-published-event.ts";
import { describeMismatch } from "#lib/core/sender/schema-finding.ts";
import { AppError } from "#lib/errors.ts";
import type { EventCatalog } from "#lib/event-schemas/event-catalog.ts";
import { readClientAddress } from "#lib/ingress/client-address.ts";
import type { RateLimits } from "#lib/ingress/rate-limits.ts";
import { announcedLength, type BodyReader, type BodyResult } from "#lib/ingress/read-body.ts";
import { eventLimits } from "#lib/schema/sender/event.ts";
import { commitEvents, type PublishCommits } from "./commit-events.ts";
import { rejectMismatches } from "./mismatches.ts";
import { answerBatch, answerEvent, rejectUnavailable, rejectUnstored } from "./publish-response.ts";
import type { PublishTarget } from "./publish-target.ts";
import { type PublishedRequest, toNewEvents } from "./to-new-events.ts";
import { type Publisher, rejectRate, type TokenFinder } from "./token-finder.ts";

export type PublishServiceParts = {
  readonly tokens: TokenFinder;
  readonly bodies: Readonly<Record<PublishTarget, BodyReader>>;
  readonly commits: PublishCommits;
  readonly rates: RateLimits;
  /** Null: it took too long. */
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

/** What the log says about a request. */
export type Published = {
  readonly answer: ApiAnswer;
  readonly accountId: string | null;
  readonly events: number;
  /** An unexpected error, never for the answer. */
  readonly cause?: unknown;
};

type PublishContext = {
  readonly request: IncomingMessage;
  readonly target: PublishTarget;
  readonly startedAtMs: number;
  /** Of reading the body, which has its own limit. */
  readingMs: number;
  accountId: string | null;
  events: number;
  cause?: unknown;
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
    };
    const answer = await this.#answer(context);
    const { accountId, events, cause } = context;
    return { answer, accountId, events, cause };
  }

  async #answer(context: PublishContext): Promise<ApiAnswer> {
    try {
      return await this.#publish(context);
    } catch (error) {
      if (error instanceof AppError) return appErrorAnswer(error);
      // The database is unavailable. Nothing was acknowledged, so the publisher tries again.
      context.cause = error;
      return appErrorAnswer(
        rejectUnavailable("The API token can't be checked right now. Publish again."),
      );
    }
  }

  async #publish(context: PublishContext): Promise<ApiAnswer> {
    const { request, target } = context;
    const { accountId } = await this.#authenticate(context);
    context.accountId = accountId;
    const { headers, url = "" } = request;
    requireNoQuery(url);
    requireJsonType(headers["content-type"] ?? null);
    const key = readHeader(request, "idempotency-key");
    const published: PublishedRequest = {
      accountId,
      target,
      idempotencyKey: readIdempotencyKey(key),
      receivedAtMs: context.startedAtMs,
    };
    const readFromMs = this.#parts.now();
    return await this.#parts.bodies[target].withBody(request, announcedLength(request), (read) => {
      context.readingMs = this.#parts.now() - readFromMs;
      return this.#publishBody(context, published, read);
    });
  }

  async #authenticate({ request }: PublishContext): Promise<Publisher> {
    const sourceIp = this.#readSourceIp(request);
    const publisher = await this.#parts.tokens.find(readHeader(request, "authorization"), sourceIp);
    const account = { id: publisher.accountId, ratePerSecond: null };
    const exceeded = this.#parts.rates.take(account, sourceIp);
    if (exceeded === null) return publisher;
    const who = exceeded.who === "hook" ? "account" : "client address";
    throw rejectRate(`This ${who} exceeded its rate limit. Try again later.`, exceeded);
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
  ): Promise<ApiAnswer> {
    if (!read.ok) throw rejectBody(read.reason, context.target);
    const { accountId, target } = published;
    const body = read.body.byteLength === 0 ? noFields : read.body;
    const parsed = await this.#parts.readEvents(accountId, target, body);
    if (parsed === null) throw rejectUnavailable("Reading the body took too long. Publish again.");
    if (!parsed.ok) {
      const { code, detail, errors } = parsed.problem;
      return problemAnswer(code, detail, { errors });
    }
    return await this.#store(context, published, parsed.events);
  }

  async #store(
    context: PublishContext,
    published: PublishedRequest,
    sent: readonly PublishedEvent[],
  ): Promise<ApiAnswer> {
    const { commits, maxStorageMs, now } = this.#parts;
    const { accountId, target } = published;
    context.events = sent.length;
    const findings = await this.#parts.catalog.check(accountId, sent);
    rejectMismatches(findings, target);
    const warnings = findings.map((finding) => finding && describeMismatch(finding));
    const events = toNewEvents(published, sent, warnings);
    const endsAtMs = context.startedAtMs + context.readingMs + maxStorageMs;
    const committed = await commitEvents(commits, { accountId, events }, () => endsAtMs - now());
    if (!committed.ok) {
      context.cause = committed.error;
      throw rejectUnstored(committed);
    }
    const [event] = events;
    const [stored] = committed.result;
    return target === "event" && event !== undefined && stored !== undefined
      ? answerEvent(event, stored)
      : answerBatch(events, committed.result);
  }
}

/** An empty body counts as an object without fields, as in all API calls. */
const noFields = Buffer.from("{}");

function readHeader({ headersDistinct }: IncomingMessage, name: string): string | null {
  return headersDistinct[name]?.join(", ") ?? null;
}

function requireNoQuery(url: string): void {
  const [, query = ""] = url.split("?", 2);
  if (query === "") return;
  const [name = ""] = new URLSearchParams(query).keys();
  throw new AppError("invalid_request", `${name}: Unknown field.`, {
    errors: [{ path: name, code: "unknown_field", message: "Unknown field", name }],
  });
}

function rejectBody(
  reason: Extract<BodyResult, { ok: false }>["reason"],
  target: PublishTarget,
): AppError {
  switch (reason) {
    case "too_large": {
      const limit = target === "event" ? eventLimits.bytes : eventLimits.batchBytes;
      const detail = `The body of this request must have at most ${limit} bytes.`;
      return new AppError("body_too_large", detail);
    }
    case "no_room":
      return rejectUnavailable("Too many large requests at once. Publish again.");
    case "stalled":
    case "aborted":
      return new AppError(
        "request_timeout",
        "The body was incomplete or too slow, so nothing was published. Publish again.",
      );
    default:
      return reason satisfies never;
  }
}
