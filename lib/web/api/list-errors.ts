import { type ErrorCode, errorTable } from "#lib/base/errors.ts";
import type { Route } from "#lib/web/route/route.ts";

/**
 * The codes of the errors that a call can return, in the order of their statuses. Those about the
 * connection or the URL, such as `headers_too_large`, can come from any address.
 */
export function listErrors(route: Route): readonly ErrorCode[] {
  const { method, path, isStreamed, maxBodyBytes } = route;
  const changes = method !== "GET";
  const hasBody = changes && maxBodyBytes > 0;
  const errors: readonly (ErrorCode | false)[] = [
    "invalid_request",
    hasBody && "invalid_json",
    ...(route.errors ?? []),
    "unauthenticated",
    "forbidden",
    (path.includes("{") || changes) && "not_found",
    isStreamed === true && "not_acceptable",
    changes && "conflict",
    changes && "idempotency_conflict",
    isStreamed === true && "export_too_large",
    hasBody && "body_too_large",
    hasBody && "unsupported_media_type",
    "rate_limited",
    "internal",
    "unavailable",
  ];
  const codes = [...new Set(errors.filter((code) => code !== false))];
  return codes.toSorted((one, other) => errorTable[one].status - errorTable[other].status);
}
