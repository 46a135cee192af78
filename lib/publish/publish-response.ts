import type { IncomingMessage, ServerResponse } from "node:http";
import { type ApiResponse, headersOf, problemResponse } from "#lib/core/api/api-response.ts";
import type { NewEvent } from "#lib/db/events/store-events.ts";
import { closeAfterResponse } from "#lib/ingress/close-after-response.ts";
import type { Committed } from "#lib/ingress/group-commit.ts";
import { type Rejection, reject, rejectUnavailable } from "#lib/ingress/rejection.ts";
import type { PublishResult } from "./commit-events.ts";

const conflict = "Another event was published with this id. Use a new id for a new event.";
const unstored = "It was not stored, because the batch has too many sends. Publish it again.";
const unknown = "It may or may not be stored. Publish it again with the same id.";

/** The response to `POST /events`. */
export function toEventResponse(event: NewEvent, stored: PublishResult): ApiResponse {
  if (stored.outcome === "conflict") return problemResponse("conflict", conflict);
  const status = stored.outcome === "duplicate" ? 200 : 202;
  return { status, text: JSON.stringify(showResult(event, stored)) };
}

/** The response to `POST /events/batch`: one result per event, in order. */
export function toBatchResponse(
  events: readonly NewEvent[],
  stored: readonly PublishResult[],
): ApiResponse {
  const results = events.map((event, index) => showResult(event, stored[index] ?? lost));
  return { status: 202, text: JSON.stringify({ events: results }) };
}

const lost: PublishResult = { outcome: "unstored", isUnknown: true };

function showResult({ publicId: id, type, recipient, warning }: NewEvent, stored: PublishResult) {
  switch (stored.outcome) {
    case "conflict":
      return { id, error: { code: "conflict", message: conflict } };
    case "duplicate":
      return { id, type, recipient, duplicate: true };
    case "stored": {
      const result = { id, type, recipient, runs: stored.runs, duplicate: false };
      return warning === null ? result : { ...result, warning };
    }
    case "unstored": {
      const message = stored.isUnknown ? unknown : unstored;
      return { id, error: { code: "unavailable", message } };
    }
    default:
      return stored satisfies never;
  }
}

export function toProblemResponse({
  code,
  detail,
  errors,
  retryAfterSeconds,
}: Rejection): ApiResponse {
  const headers =
    retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return problemResponse(code, detail, { errors, headers });
}

/** The rejection after storing failed: the publisher has to publish again. */
export function rejectUnstored({
  reason,
  error: cause,
}: Extract<Committed<unknown>, { ok: false }>): Rejection {
  switch (reason) {
    case "group_full": {
      const detail = "Too many events of this account are waiting to be stored. Try again.";
      return reject("rate_limited", detail, { retryAfterSeconds: 2 });
    }
    case "full":
      return rejectUnavailable("Too many events are waiting to be stored. Publish again.");
    case "timeout":
      return rejectUnavailable("The database did not result in time. Publish again.");
    case "failed":
      return rejectUnavailable("The events could not be stored right now. Publish again.", {
        cause,
      });
    default:
      return reason satisfies never;
  }
}

/** Writes a response. A request that isn't read completely is the last one of its connection. */
export function writeApiResponse(
  request: IncomingMessage,
  response: ServerResponse,
  result: ApiResponse,
): void {
  const closes = !request.complete;
  response.writeHead(result.status, {
    ...headersOf(result),
    "content-length": Buffer.byteLength(result.text),
    ...(closes ? { connection: "close" } : {}),
  });
  if (closes) closeAfterResponse(request, response, result.text);
  else response.end(result.text);
}
