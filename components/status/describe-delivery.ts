import type { Series } from "#components/ui/plot/series.ts";
import type { Tone } from "#components/ui/status/badge.tsx";
import { describeVerifyFailure, isVerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";

type Words = { readonly words: string; readonly tone: Tone };

export const deliveryStatusWords: Readonly<Record<DeliveryStatus, Words>> = {
  accepted: { words: "Accepted", tone: "positive" },
  duplicate: { words: "Duplicate", tone: "neutral" },
  rejected: { words: "Rejected", tone: "negative" },
  pending: { words: "Pending", tone: "caution" },
  handshake: { words: "Handshake", tone: "neutral" },
  batch: { words: "Batch", tone: "neutral" },
};

/** The series of plots, from bottom to top: the exceptions are on top. */
export const deliverySeries: readonly (Series & { readonly key: DeliveryStatus })[] = [
  { key: "accepted", name: "Accepted", color: "var(--primary)" },
  { key: "duplicate", name: "Duplicate", plural: "duplicates", color: "var(--input)" },
  { key: "batch", name: "Batch", plural: "batches", color: "var(--ring)" },
  { key: "handshake", name: "Handshake", plural: "handshakes", color: "var(--muted-foreground)" },
  { key: "pending", name: "Pending", color: "var(--caution)" },
  { key: "rejected", name: "Rejected", color: "var(--negative)" },
];

export function verificationWords(outcome: string): Words {
  switch (outcome) {
    case "verified":
      return { words: "Verified", tone: "positive" };
    case "failed":
      return { words: "Not verified", tone: "negative" };
    case "not_configured":
      return { words: "Not checked", tone: "caution" };
    case "pending":
      return { words: "Awaiting secret", tone: "caution" };
    default:
      return { words: "Unknown", tone: "neutral" };
  }
}

/**
 * The reason why a delivery was not accepted, and what to do. Unknown reasons are shown as stored.
 */
export function describeReason(reason: string, detail: string | null = null): string {
  if (detail !== null) return detail;
  if (isVerifyFailure(reason)) return describeVerifyFailure(reason);
  return otherReasons[reason] ?? reason;
}

type Outcome = {
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly detail: string | null;
};

/** The reason why no action ran on a delivery. Null if it was accepted as a new event. */
export function describeOutcome({ status, reason, detail }: Outcome): string | null {
  switch (status) {
    case "accepted":
      return null;
    case "duplicate":
      return "Repeats an earlier event. No actions ran.";
    case "pending":
      return "Stored until you add the hook's signing secret.";
    case "handshake":
      return "The provider verified that you own the URL.";
    case "batch":
      return "Contained several events. Each is a separate delivery.";
    case "rejected":
      return reason === null ? null : describeReason(reason, detail);
    default:
      return status satisfies never;
  }
}

const otherReasons: Readonly<Record<string, string>> = {
  invalid_json:
    "The body isn't valid JSON. The provider must send valid JSON or the matching Content-Type.",
  body_too_large:
    "The body was larger than this server accepts, so it wasn't stored. CATCHMENT_MAX_BODY_BYTES sets the limit.",
  method_not_allowed:
    "The hook doesn't allow this method. Allow it in the hook, or have the provider use POST.",
};
