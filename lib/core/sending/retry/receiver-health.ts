import type { CallErrorCode } from "./call-error.ts";

/** The health of a receiver, judging by one call. `none`: unknown, or no call was made. */
export type ReceiverHealth = "up" | "down" | "none";

type Result =
  | { readonly ok: true; readonly response: { readonly status: number } }
  | { readonly ok: false; readonly error: { readonly code: CallErrorCode } };

/**
 * Decides whether a receiver is down: there was no complete response, or one that says that it
 * can't work now. A receiver that rejects a request is up.
 */
export function readHealth(result: Result | null): ReceiverHealth {
  if (result === null) return "none";
  if (!result.ok && declined.has(result.error.code)) return "up";
  if (!result.ok) return ownCodes.has(result.error.code) ? "none" : "down";
  const { status } = result.response;
  return status >= 500 || overloaded.has(status) ? "down" : "up";
}

const overloaded: ReadonlySet<number> = new Set([408, 425, 429]);

/** It responded that it takes others. */
const declined: ReadonlySet<CallErrorCode> = new Set(["rejected", "undelivered"]);

/** Catchment made no call, or stopped waiting for the response. */
const ownCodes: ReadonlySet<CallErrorCode> = new Set([
  "blocked",
  "self_call",
  "invalid_request",
  "cancelled",
]);
