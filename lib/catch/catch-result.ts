import type { HandshakeAnswer } from "#lib/core/handshake/answer-handshake.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { CustomResponse } from "./catch-hook.ts";

/** How one request to the catch endpoint ended. */
export type CatchResult =
  | {
      readonly outcome: "accepted";
      readonly deliveryId: string;
      /** Of the events that came together in it. */
      readonly eventDeliveryIds?: readonly string[];
      readonly response: CustomResponse | null;
    }
  | {
      readonly outcome: "duplicate";
      readonly deliveryId: string;
      readonly originalDeliveryId: string;
      readonly response: CustomResponse | null;
    }
  | {
      readonly outcome: "handshake";
      /** Null: more of them came than are recorded. */
      readonly deliveryId: string | null;
      readonly answer: HandshakeAnswer;
    }
  | Refusal;

export type Refusal = {
  readonly outcome: "refused";
  readonly code: ErrorCode;
  /** What is wrong and what to change. Holds no secret and no expected value. */
  readonly detail: string;
  readonly allow?: readonly string[];
  readonly retryAfterSeconds?: number;
  /** The rest of the request is not worth reading: the connection ends with the answer. */
  readonly closes?: boolean;
  /** The sender wants nothing but the status. */
  readonly isBodiless?: boolean;
  /** Why, in one word, for the log: the reason of a rejected signature. */
  readonly reason?: string;
  /** What went wrong on our side: for the log, never for the sender. */
  readonly cause?: unknown;
};

/** A result and whose it is. The log names hooks by id: the key in a catch URL is as good as a password. */
export type Caught = { readonly hookId: string | null; readonly result: CatchResult };

export function refuse(code: ErrorCode, detail: string, extra: Partial<Refusal> = {}): Refusal {
  return { outcome: "refused", code, detail, ...extra };
}

/** Storage trouble, whatever it is: the sender shall come back, and must never read it as final. */
export function refuseUnavailable(detail: string, extra: Partial<Refusal> = {}): Refusal {
  return refuse("unavailable", detail, { retryAfterSeconds: 5, ...extra });
}

// One body for each of them: a stranger can't tell an unknown account from a wrong key.
export const hookNotFound = refuse(
  "hook_not_found",
  "No hook has this catch URL. Copy the URL again from the hook's page.",
  { closes: true },
);

export const malformed = refuse(
  "invalid_request",
  "The URL holds a percent-escape that is not valid UTF-8.",
  {
    closes: true,
  },
);
export const hookDisabled = refuse(
  "hook_disabled",
  "The owner of this hook has disabled it. Enable it in the dashboard to receive deliveries again.",
  { closes: true },
);
export const keyUnavailable = refuseUnavailable(
  "The sender's signing key can't be fetched just now, so the delivery can't be verified. Send it again.",
);
export const bodyIncomplete = refuse(
  "request_timeout",
  "The body did not arrive whole, or too slowly. Nothing was stored; send the delivery again.",
  { closes: true },
);
