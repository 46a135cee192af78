/**
 * Cross-origin requests of pages (https://fetch.spec.whatwg.org/#http-cors-protocol). They are how
 * a browser protects its user. They keep no request away from a hook: verification does.
 */
import type { IncomingMessage } from "node:http";
import type { CatchHook } from "#lib/evaluate/catch-hook.ts";
import { type Rejection, reject } from "#lib/ingress/rejection.ts";
import { anyOrigin } from "#lib/schema/receive/hook-response.ts";
import type { CatchResult } from "./catch-result.ts";

type CorsHook = Pick<CatchHook, "allowedOrigins" | "methods">;

/**
 * The value of `Access-Control-Allow-Origin`: what the page may read of the response. Never with
 * credentials. Null: the request isn't from a page, or its origin isn't allowed.
 */
function findAllowedOrigin(
  { allowedOrigins }: CorsHook,
  { headers }: IncomingMessage,
): string | null {
  const { origin } = headers;
  if (allowedOrigins === null || origin === undefined) return null;
  if (allowedOrigins.includes(anyOrigin)) return anyOrigin;
  return allowedOrigins.includes(origin) ? origin : null;
}

/** The headers of every response of a hook that allows pages. Null: it allows none. */
export function findCorsHeaders(hook: CorsHook, request: IncomingMessage): Headers | null {
  if (hook.allowedOrigins === null) return null;
  const headers = new Headers();
  const origin = findAllowedOrigin(hook, request);
  if (origin !== null) headers.set("access-control-allow-origin", origin);
  // Also for other clients, so that a cache doesn't give their response to the page.
  if (!hook.allowedOrigins.includes(anyOrigin)) headers.set("vary", "origin");
  return headers;
}

/** True if a browser asks before it sends what the page wants to send. It is no delivery. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === "OPTIONS" &&
    headers.origin !== undefined &&
    headers["access-control-request-method"] !== undefined
  );
}

/** True if the hook takes a request with this method, or allows the page that asks. */
export function takesMethod(hook: CorsHook, request: IncomingMessage): boolean {
  return isPreflight(request)
    ? findAllowedOrigin(hook, request) !== null
    : hook.methods.includes(request.method ?? "");
}

/** Allows what the page asks for, if its origin is allowed. */
export function respondToPreflight(hook: CorsHook, request: IncomingMessage): CatchResult {
  if (findAllowedOrigin(hook, request) === null) return rejectPreflight(hook);
  const asked = request.headers["access-control-request-headers"] ?? "";
  const response = {
    status: 204,
    headers: {
      "access-control-allow-methods": hook.methods.join(", "),
      ...(headerList.test(asked) ? { "access-control-allow-headers": asked } : {}),
      "access-control-max-age": String(maxAgeSeconds),
    },
    body: "",
  } as const;
  return { outcome: "handshake", deliveryId: null, response };
}

const maxAgeSeconds = 600;
/** Names of headers, and nothing else that could end the line. */
const headerList = /^[!#$%&'*+.^_`|~0-9A-Za-z-, ]{1,1024}$/;

function rejectPreflight({ allowedOrigins, methods }: CorsHook): Rejection {
  const detail =
    allowedOrigins === null
      ? "This hook takes no requests from pages in a browser. Allow the page's origin in the hook's settings."
      : "This hook doesn't allow this page's origin. Add it in the hook's settings.";
  return reject("method_not_allowed", detail, { allow: methods });
}
