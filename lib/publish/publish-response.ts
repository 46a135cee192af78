import type { IncomingMessage, ServerResponse } from "node:http";
import { type ApiAnswer, headersOf, problemAnswer } from "#lib/core/api/api-answer.ts";
import type { NewEvent } from "#lib/db/events/store-events.ts";
import { AppError } from "#lib/errors.ts";
import { closeAfterAnswer } from "#lib/ingress/close-after-response.ts";
import type { Committed } from "#lib/ingress/group-commit.ts";
import type { PublishResult } from "./commit-events.ts";
import { rejectRate } from "./token-finder.ts";

const conflict = "Another event was published with this id. Use a new id for a new event.";
const unstored = "It was not stored, because the batch has too many sends. Publish it again.";
const unknown = "It may or may not be stored. Publish it again with the same id.";

/** The answer to `POST /events`. */
export function answerEvent(event: NewEvent, stored: PublishResult): ApiAnswer {
  if (stored.outcome === "conflict") return problemAnswer("conflict", conflict);
  const status = stored.outcome === "duplicate" ? 200 : 202;
  return { status, text: JSON.stringify(showResult(event, stored)) };
}

/** The answer to `POST /events/batch`: one result per event, in order. */
export function answerBatch(
  events: readonly NewEvent[],
  stored: readonly PublishResult[],
): ApiAnswer {
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

/** For temporary failures: the publisher has to publish again. */
export function rejectUnavailable(detail: string): AppError {
  return new AppError("unavailable", detail, { headers: { "retry-after": "5" } });
}

export function rejectUnstored({ reason }: Extract<Committed<unknown>, { ok: false }>): AppError {
  switch (reason) {
    case "group_full":
      return rejectRate("Too many events of this account are waiting to be stored. Try again.", {
        retryAfterSeconds: 2,
      });
    case "full":
      return rejectUnavailable("Too many events are waiting to be stored. Publish again.");
    case "timeout":
      return rejectUnavailable("The database did not answer in time. Publish again.");
    case "failed":
      return rejectUnavailable("The events could not be stored right now. Publish again.");
    default:
      return reason satisfies never;
  }
}

/** Writes an answer. A request that isn't read completely is the last one of its connection. */
export function writeApiAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ApiAnswer,
): void {
  const closes = !request.complete;
  response.writeHead(answer.status, {
    ...headersOf(answer),
    "content-length": Buffer.byteLength(answer.text),
    ...(closes ? { connection: "close" } : {}),
  });
  if (closes) closeAfterAnswer(request, response, answer.text);
  else response.end(answer.text);
}
