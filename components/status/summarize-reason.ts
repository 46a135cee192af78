import { capitalize } from "#lib/base/capitalize.ts";
import type { RunReason } from "#lib/schema/act/run.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";
import { describeResponse } from "./describe-response.ts";

type Outcome = { readonly status: DeliveryStatus; readonly reason: string | null };

/**
 * The reason why no action ran on a delivery, in a few words for a list. Null if it is an event or
 * the status is enough.
 */
export function summarizeOutcome({ status, reason }: Outcome): string | null {
  return status === "rejected" && reason !== null ? toPhrase(reason) : null;
}

type RunOutcome = {
  readonly reason: RunReason | null;
  /** The status of the last attempt's response. */
  readonly httpStatus: number | null;
  /** The reason why the last attempt got no response. */
  readonly errorCode: string | null;
};

/**
 * The reason for a run's state, in a few words for a list: the receiver's response, or else the
 * reason code.
 */
export function summarizeRun({ reason, httpStatus, errorCode }: RunOutcome): string | null {
  if (reason === null) return null;
  const { code } = reason;
  if (!ofLastAttempt.has(code)) return toPhrase(code);
  if (errorCode !== null) return toPhrase(errorCode);
  return httpStatus === null ? toPhrase(code) : describeResponse(httpStatus);
}

/** These codes only describe what happens next. The receiver's response says more. */
const ofLastAttempt: ReadonlySet<string> = new Set([
  "retry",
  "not_retried",
  "attempts_exhausted",
  "gave_up",
]);

/** Codes that read better in other words. */
const phrases: Readonly<Record<string, string>> = {
  invalid_json: "Invalid JSON",
  signature_mismatch: "Signature doesn't match",
  token_mismatch: "Token doesn't match",
  method_not_allowed: "Method not allowed",
  filter_not_matched: "Filter didn't match",
  skipped_by_transform: "Skipped by its transform",
  mapping_failed: "Missing field",
  url_invalid: "Invalid URL",
  header_invalid: "Invalid header",
  body_invalid: "Invalid body",
  loop: "Call loops back",
  retry: "Retrying",
  attempts_exhausted: "No attempts left",
  gave_up: "Gave up",
  gone: describeResponse(410),
  internal: "Internal error",
  blocked: "Address blocked",
  self_call: "Calls this server",
  invalid_request: "Invalid request",
  dns: "Host not found",
  connect: "Connection failed",
  tls: "TLS failed",
  timeout: "Timed out",
  reset: "Connection closed",
  protocol: "Not HTTP",
  credential: "Credential refused",
  rejected: "Rejected",
  undelivered: "Not delivered",
  unavailable: "Receiver unavailable",
  cancelled: "Canceled",
};

/** The code of a reason in a few words. */
export function toPhrase(code: string): string {
  const words = code.replaceAll("_", " ");
  return phrases[code] ?? capitalize(words);
}
