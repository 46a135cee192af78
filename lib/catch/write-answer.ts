import type { IncomingMessage, ServerResponse } from "node:http";
import { errorTable, toProblem } from "#lib/errors.ts";
import type { CustomResponse } from "./catch-hook.ts";
import type { CatchResult, Refusal } from "./catch-result.ts";

/** Writes the answer of the contract. @returns the status */
export function writeAnswer(request: IncomingMessage, response: ServerResponse, result: CatchResult): number {
  switch (result.outcome) {
    case "accepted":
      if (result.response !== null) return writeCustom(response, result.response);
      return writeJson(response, `{"status":"accepted","deliveryId":"${result.deliveryId}"}`);
    case "duplicate":
      if (result.response !== null) return writeCustom(response, result.response);
      return writeJson(
        response,
        `{"status":"duplicate","deliveryId":"${result.deliveryId}","originalDeliveryId":"${result.originalDeliveryId}"}`,
      );
    case "refused":
      return writeRefusal(request, response, result);
    default:
      return result satisfies never;
  }
}

function writeJson(response: ServerResponse, body: string): number {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
  return 200;
}

/** What the hook's owner wants its senders to read. It comes from us, so a browser must not run it as ours. */
function writeCustom(response: ServerResponse, { status, headers, body }: CustomResponse): number {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    ...headers,
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
    ...(status === 204 || status === 205 ? {} : { "content-length": Buffer.byteLength(body) }),
  });
  response.end(status === 204 || status === 205 ? undefined : body);
  return status;
}

export function writeRefusal(request: IncomingMessage, response: ServerResponse, refusal: Refusal): number {
  const { status } = errorTable[refusal.code];
  const body = JSON.stringify(toProblem(refusal.code, refusal.detail));
  const closes = refusal.closes === true && !request.complete;
  response.writeHead(status, {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
    ...(refusal.allow === undefined ? {} : { allow: refusal.allow.join(", ") }),
    ...(refusal.retryAfterSeconds === undefined ? {} : { "retry-after": String(refusal.retryAfterSeconds) }),
    ...(closes ? { connection: "close" } : {}),
  });
  response.end(body);
  if (closes) endConnection(request, response);
  return status;
}

/**
 * Ends a connection whose request is not read to its end. For a moment what still comes is thrown away, because
 * closing at once would reset the connection before the sender has read the answer.
 */
function endConnection(request: IncomingMessage, response: ServerResponse): void {
  request.removeAllListeners("data");
  request.resume();
  const timer = setTimeout(() => request.destroy(), lingerMs);
  timer.unref();
  response.on("close", () => clearTimeout(timer));
}

const lingerMs = 1_000;
