import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { errorTable, toProblem } from "#lib/base/errors.ts";
import type { HandshakeResponse } from "#lib/core/verify/handshake/handshake-response.ts";
import type { CustomResponse } from "#lib/evaluate/catch-hook.ts";
import { closeAfterResponse } from "#lib/ingress/close-after-response.ts";
import type { Rejection } from "#lib/ingress/rejection.ts";
import type { CatchResult, Caught } from "./catch-result.ts";
import type { Reply } from "./reply/reply-waits.ts";

/** Writes the response. @returns the status */
export function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { result, corsHeaders }: Caught,
): number {
  if (corsHeaders) response.setHeaders(corsHeaders);
  switch (result.outcome) {
    case "accepted":
      if (result.replying?.reply) return writeCustom(response, result.replying.reply);
      if (result.response !== null) return writeCustom(response, result.response);
      if (result.eventDeliveryIds !== undefined) return writeJson(response, describeBatch(result));
      return writeJson(
        response,
        `{"status":"accepted","deliveryId":"${result.deliveryId}"}`,
        result.replying === undefined ? 200 : 202,
      );
    case "duplicate":
      if (result.replying?.reply) return writeCustom(response, result.replying.reply);
      if (result.response !== null) return writeCustom(response, result.response);
      return writeJson(
        response,
        `{"status":"duplicate","deliveryId":"${result.deliveryId}","originalDeliveryId":"${result.originalDeliveryId}"}`,
        result.replying === undefined ? 200 : 202,
      );
    case "handshake":
      if (result.replying?.reply) return writeCustom(response, result.replying.reply);
      return writeHandshake(response, result.response);
    case "rejected":
      return writeRejection(request, response, result);
    default:
      return result satisfies never;
  }
}

/** Maximum number of ids in a response. */
const maxListedIds = 100;

function describeBatch({
  deliveryId,
  eventDeliveryIds = [],
}: Extract<CatchResult, { outcome: "accepted" }>) {
  const eventCount = eventDeliveryIds.length;
  const listed = eventDeliveryIds.slice(0, maxListedIds);
  return JSON.stringify({ status: "accepted", deliveryId, eventCount, deliveryIds: listed });
}

function writeJson(response: ServerResponse, body: string, status = 200): number {
  // One write for headers and body. latin1 is faster, and everything is ASCII.
  response.writeHead(status, [
    "content-type",
    "application/json",
    "content-length",
    String(body.length),
  ]);
  response.end(body, "latin1");
  return status;
}

/** The custom response of the hook, its action, or a listener. Served from our origin: never rendered as a page. */
function writeCustom(
  response: ServerResponse,
  { status, headers, body }: CustomResponse | Reply,
): number {
  const hasBody = status !== 204 && status !== 205;
  response.writeHead(status, {
    ...(hasBody ? { "content-type": "text/plain; charset=utf-8", ...headers } : {}),
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
    ...(hasBody ? { "content-length": Buffer.byteLength(body) } : {}),
  });
  response.end(hasBody ? body : undefined);
  return status;
}

/** May echo untrusted input, so browsers must not render it as a page. */
function writeHandshake(
  response: ServerResponse,
  { status, headers, body }: HandshakeResponse,
): number {
  const hasBody = status !== 204;
  response.writeHead(status, {
    ...headers,
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
    ...(hasBody ? { "content-length": Buffer.byteLength(body) } : {}),
  });
  response.end(hasBody ? body : undefined);
  return status;
}

function writeRejection(
  request: IncomingMessage,
  response: ServerResponse,
  rejection: Rejection,
): number {
  const { status } = errorTable[rejection.code];
  const body =
    rejection.isBodiless === true
      ? ""
      : JSON.stringify(toProblem(rejection.code, rejection.detail));
  const closes = rejection.closes === true && !request.complete;
  const headers: OutgoingHttpHeaders = {
    ...(body === "" ? {} : { "content-type": "application/problem+json" }),
    "content-length": Buffer.byteLength(body),
  };
  if (rejection.allow !== undefined) headers.allow = rejection.allow.join(", ");
  if (rejection.retryAfterSeconds !== undefined)
    headers["retry-after"] = String(rejection.retryAfterSeconds);
  if (closes) headers.connection = "close";
  response.writeHead(status, headers);
  if (closes) closeAfterResponse(request, response, body);
  else response.end(body);
  return status;
}
