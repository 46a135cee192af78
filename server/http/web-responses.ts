import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type ErrorCode, errorTable, toProblem } from "#lib/base/errors.ts";
import type { BodyResult } from "#lib/ingress/read-body.ts";
import { maxApiBodyBytes } from "#lib/schema/field/max-api-body.ts";
import { waitingPage, waitingPageHeaders } from "./waiting-page.ts";

export function respondUnread(
  request: IncomingMessage,
  response: ServerResponse,
  reason: Extract<BodyResult, { ok: false }>["reason"],
): void {
  if (reason === "aborted" || response.headersSent) return;
  response.setHeader("connection", "close");
  switch (reason) {
    case "stalled":
      respondWithProblem(request, response, "request_timeout", slowBody);
      break;
    case "too_large":
      respondWithProblem(request, response, "body_too_large", largeBody);
      break;
    case "no_room":
      respondUnavailable(request, response, busy);
      break;
    default:
      reason satisfies never;
  }
}

const slowBody = "The body did not arrive in time.";
const largeBody = `The body is larger than ${maxApiBodyBytes} bytes.`;

/** Late, so that a client that asks again at once costs next to nothing. */
export async function respondTooMany(
  request: IncomingMessage,
  response: ServerResponse,
  waitSeconds: number,
): Promise<void> {
  await delay(1_000);
  if (response.destroyed) return;
  response.setHeader("retry-after", String(waitSeconds));
  respondWithProblem(request, response, "rate_limited", tooMany);
}

const tooMany = "This address asks for too many pages. Wait a moment, then try again.";

export type Unavailable = { readonly title: string; readonly text: string };

export const busy: Unavailable = {
  title: "The dashboard is at capacity",
  text: "Deliveries are still being caught.",
};
export const restarting: Unavailable = {
  title: "The dashboard is starting or restarting",
  text: "Deliveries are still being caught.",
};

/** People get a page, and programs a problem. */
export function respondUnavailable(
  request: IncomingMessage,
  response: ServerResponse,
  { title, text }: Unavailable,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.setHeader("retry-after", "2");
  const isPage = request.method === "GET" && /\btext\/html\b/.test(request.headers.accept ?? "");
  if (!isPage) {
    const detail = `${title}. ${text} Try again in a moment.`;
    respondWithProblem(request, response, "unavailable", detail);
    return;
  }
  response.writeHead(errorTable.unavailable.status, waitingPageHeaders);
  response.end(waitingPage(title, text));
  request.resume();
}

/** The response of a process that only catches: the dashboard and the API run elsewhere. */
export function respondNoDashboard(request: IncomingMessage, response: ServerResponse): void {
  const detail = "This process only catches deliveries: it runs without the role web.";
  respondWithProblem(request, response, "not_found", detail);
}

/** The response of a process that only makes calls. */
export function respondOnlyWorker(request: IncomingMessage, response: ServerResponse): void {
  const detail = "This process only makes calls: it runs without the roles catch and web.";
  respondWithProblem(request, response, "not_found", detail);
}

/** The response of a process that only serves the dashboard. */
export function respondNoCatch(request: IncomingMessage, response: ServerResponse): void {
  const detail = "This process only serves the dashboard: it runs without the role catch.";
  respondWithProblem(request, response, "not_found", detail);
}

/** The response of the port for metrics to everything else. */
export function respondOnlyMonitoring(request: IncomingMessage, response: ServerResponse): void {
  const detail = "This port only serves /metrics and /api/health.";
  respondWithProblem(request, response, "not_found", detail);
}

export function respondWithProblem(
  request: IncomingMessage,
  response: ServerResponse,
  code: ErrorCode,
  detail: string,
): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify(toProblem(code, detail));
  response.writeHead(errorTable[code].status, {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
  request.resume();
}
