import type { HandshakeResponse } from "#lib/core/verify/handshake/handshake-response.ts";
import type { CustomResponse } from "#lib/evaluate/catch-hook.ts";
import type { Exceeded } from "#lib/ingress/rate-limits.ts";
import { type Rejection, reject, rejectUnavailable } from "#lib/ingress/rejection.ts";
import type { Reply } from "./reply/reply-waits.ts";

/** The result of one request to the catch endpoint. */
export type CatchResult =
  | {
      readonly outcome: "accepted";
      readonly deliveryId: string;
      /** The deliveries of its events, if it was a batch. */
      readonly eventDeliveryIds?: readonly string[];
      readonly response: CustomResponse | null;
      readonly replying?: Replying;
    }
  | {
      readonly outcome: "duplicate";
      readonly deliveryId: string;
      readonly originalDeliveryId: string;
      readonly response: CustomResponse | null;
      readonly replying?: Replying;
    }
  | {
      readonly outcome: "handshake";
      /** Null: not recorded, since there were too many. */
      readonly deliveryId: string | null;
      readonly response: HandshakeResponse;
      /** Only if a listener answers. */
      readonly replying?: Replying;
    }
  | Rejection;

/**
 * The reply to wait for, if the hook's action replies, or a listener answers. Omitted: the response
 * is written at once.
 */
export type Replying = {
  readonly accountId: string;
  readonly waitMs: number;
  /** The listener that answers. Null: an action replies. */
  readonly listenerId: string | null;
  /** Null: there is none in time, so the provider gets 202. Omitted: the reply is not known yet. */
  readonly reply?: Reply | null;
};

/**
 * A result and its hook. Logs use the hook's id, since the key in a catch URL is as secret as a
 * password.
 */
export type Caught = {
  readonly hookId: string | null;
  readonly result: CatchResult;
  /** Headers that say which page may read the response. */
  readonly corsHeaders?: Headers | null;
};

export function rejectRate({ who, retryAfterSeconds }: Exceeded): Rejection {
  const what =
    who === "hook"
      ? "This hook exceeded its rate limit."
      : "This client address exceeded its rate limit.";
  return reject("rate_limited", `${what} Try again later.`, { retryAfterSeconds, closes: true });
}

export function rejectTooLarge(maxBodyBytes: number): Rejection {
  const detail = `The body exceeds ${maxBodyBytes} bytes. The limit is CATCHMENT_MAX_BODY_BYTES.`;
  return reject("body_too_large", detail, { closes: true });
}

// One response for both, so that an attacker can't tell an unknown account from a wrong key.
export const hookNotFound = reject(
  "hook_not_found",
  "No hook has this catch URL. Copy the URL again from the hook's page.",
  { closes: true },
);

export const hookDisabled = reject(
  "hook_disabled",
  "This hook is disabled. Enable it in the dashboard to receive deliveries.",
  { closes: true },
);
export const keyUnavailable = rejectUnavailable(
  "The provider's signing key is temporarily unavailable, so the delivery can't be verified. Send it again.",
);
export const tooManyBodies = rejectUnavailable(
  "Too many large requests at once. Send the delivery again.",
  { closes: true },
);
/** The rejection of a delivery whose event type has a schema that can't be read or used now. */
export function rejectUnchecked(cause: unknown): Rejection {
  const detail = "The event that it becomes can't be checked right now. Send the delivery again.";
  return rejectUnavailable(detail, { cause });
}
export const unreadable = rejectUnavailable(
  "Reading the body took too long. Send the delivery again.",
);
export const bodyIncomplete = reject(
  "request_timeout",
  "The body was incomplete or too slow, so the delivery wasn't stored. Send it again.",
  { closes: true },
);
