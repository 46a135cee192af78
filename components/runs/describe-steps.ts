import { describeReason } from "#components/status/describe-delivery.ts";
import type { Sign } from "#components/ui/layout/timeline.tsx";
import { describeSize } from "#lib/base/describe-size.ts";
import { type DeliveryStatus, fetchedScheme } from "#lib/schema/receive/delivery-status.ts";
import type { HookStatus } from "#lib/schema/receive/hook.ts";

type StepWords = { readonly sign: Sign; readonly title: string; readonly text: string | null };

export type DeliveryFacts = {
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly verificationOutcome: string;
  readonly verificationScheme: string | null;
  readonly eventId: string | null;
  /** It says something else than the delivery that it repeats. */
  readonly duplicateDiffers: boolean;
  readonly bodySize: number;
};

/** Describes whether the provider was verified, and what to do if not. */
export function describeVerification(delivery: DeliveryFacts, verifiesBy: string): StepWords {
  switch (delivery.verificationOutcome) {
    case "verified":
      if (delivery.verificationScheme === "sample")
        return { sign: "done", title: "Created by Catchment", text: madeHere };
      if (delivery.verificationScheme === fetchedScheme)
        return { sign: "done", title: "Fetched from the provider", text: fetched };
      return {
        sign: "done",
        title: "Signature verified",
        text: `Verified with the scheme of ${verifiesBy}.`,
      };
    case "failed":
      return {
        sign: "failed",
        title: "Signature not accepted",
        text: describeReason(delivery.reason ?? "signature_mismatch", delivery.detail),
      };
    case "pending":
      return {
        sign: "waiting",
        title: "Awaiting secret",
        text: "The hook had no signing secret when this arrived. Add the secret to verify and run it.",
      };
    default:
      return {
        sign: "passed",
        title: "Signature not checked",
        text: uncheckedTexts[delivery.status],
      };
  }
}

const madeHere =
  "Catchment made and sealed this sample. It couldn't be signed, because the hook had no signing secret yet.";
const fetched =
  "It never arrived here, so Catchment asked the provider's API for it, with a saved credential. It has no signature.";
const taken = "This hook accepts unsigned requests.";
const uncheckedTexts: Readonly<Record<DeliveryStatus, string>> = {
  accepted: taken,
  duplicate: taken,
  pending: taken,
  batch: taken,
  rejected: "It was rejected before the signature was checked.",
  handshake: "This provider does not sign its handshakes.",
};

export type DedupeFacts = {
  /** The identity of an event. Null: nothing is compared. */
  readonly dedupesBy: string | null;
  /** An event without an id is compared by what it says. */
  readonly comparesContent: boolean;
};

/**
 * Null if nothing is compared: the delivery was rejected, is pending, or isn't an event by itself.
 */
export function describeDedupe(
  delivery: DeliveryFacts,
  { dedupesBy, comparesContent }: DedupeFacts,
): StepWords | null {
  switch (delivery.status) {
    case "rejected":
    case "pending":
    case "handshake":
    case "batch":
      return null;
    case "duplicate":
      return {
        sign: "passed",
        title: "Repeats an earlier delivery",
        text:
          `The same event by ${dedupesBy ?? "the hook's rule"} arrived before. ` +
          "The provider got a success response, and no actions ran." +
          (delivery.duplicateDiffers ? " The content differs from that delivery's." : ""),
      };
    case "accepted":
      if (dedupesBy === null)
        return {
          sign: "passed",
          title: "Not compared",
          text: "De-duplication is off for this hook.",
        };
      if (delivery.eventId === null && !comparesContent)
        return {
          sign: "passed",
          title: "No event id",
          text: `It doesn't have ${dedupesBy}, so it counts as a new event.`,
        };
      return { sign: "done", title: "A new event", text: `Compared by ${dedupesBy}.` };
    default:
      return delivery.status satisfies never;
  }
}

export function describeStorage(delivery: DeliveryFacts): StepWords {
  if (delivery.status !== "rejected") {
    const text = `${describeSize(delivery.bodySize)}, byte for byte, before the response was sent.`;
    return { sign: "done", title: "Stored", text };
  }
  const why =
    delivery.verificationOutcome === "failed"
      ? null
      : describeReason(delivery.reason ?? "", delivery.detail);
  return { sign: "failed", title: "Rejected and stored", text: why === "" ? null : why };
}

/**
 * The reason why an accepted delivery did not become an event. Null: it did, or its hook doesn't
 * publish.
 */
export function describeUnpublished({ status, reason, detail }: DeliveryFacts): StepWords | null {
  if (status !== "accepted" || reason === null) return null;
  const sign = reason === "sample" ? "passed" : "failed";
  return { sign, title: "Not published", text: describeReason(reason, detail) };
}

/** The condition that a held run waits for. It continues by itself. */
export function describeHold(hook: HookStatus, isActionOn: boolean): string {
  const held = holds[hook];
  if (held === null && isActionOn) return "Nothing blocks it anymore. It runs in a moment.";
  if (held === null)
    return "Its action is disabled. It runs automatically when you enable the action.";
  if (isActionOn) return `${held.why}. It runs automatically when ${held.until}.`;
  return `${held.why}, and its action is disabled. It runs automatically when ${held.until} and the action is enabled.`;
}

const holds: Readonly<Record<HookStatus, { readonly why: string; readonly until: string } | null>> =
  {
    active: null,
    pending: { why: "The hook is awaiting its signing secret", until: "the secret is added" },
    paused: { why: "The hook is paused", until: "the hook is resumed" },
    disabled: { why: "The hook is disabled", until: "the hook is enabled" },
  };
