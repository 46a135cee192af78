import type { DeliveryStatus } from "#lib/schema/delivery.ts";
import type { HookStatus } from "#lib/schema/hook.ts";
import type { RunStatus } from "#lib/schema/run.ts";
import { describeReason } from "./describe-delivery.ts";
import type { Sign } from "./timeline.tsx";
import { describeSize } from "./ui/describe-size.ts";

type StepWords = { readonly sign: Sign; readonly title: string; readonly text: string | null };

export type DeliveryFacts = {
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly verificationOutcome: string;
  readonly eventId: string | null;
  readonly bodySize: number;
};

/** Whether the sender has shown who it is, and what to do where it has not. */
export function describeVerification(delivery: DeliveryFacts, verifiesBy: string): StepWords {
  switch (delivery.verificationOutcome) {
    case "verified":
      return { sign: "done", title: "Signature verified", text: `By the scheme of ${verifiesBy}.` };
    case "failed":
      return {
        sign: "failed",
        title: "Signature not accepted",
        text: describeReason(delivery.reason ?? "signature_mismatch", delivery.detail),
      };
    case "pending":
      return {
        sign: "waiting",
        title: "Signature not checked yet",
        text: "The hook waited for its signing secret when this arrived. Once the secret is there, it can be verified and run.",
      };
    default:
      return { sign: "passed", title: "Signature not checked", text: uncheckedTexts[delivery.status] };
  }
}

const taken = "This hook takes what anybody sends to its catch URL.";
const uncheckedTexts: Readonly<Record<DeliveryStatus, string>> = {
  accepted: taken,
  duplicate: taken,
  pending: taken,
  batch: taken,
  rejected: "It was refused before a signature was looked at.",
  handshake: "This sender does not sign its handshakes.",
};

/** Null for one that is compared with nothing: what was rejected, waits to be verified, or is no event by itself. */
export function describeDedupe(delivery: DeliveryFacts, dedupesBy: string | null): StepWords | null {
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
        text: `The same event by ${dedupesBy ?? "the hook's rule"} had arrived before. It was answered with success, and nothing was run again.`,
      };
    case "accepted":
      if (dedupesBy === null)
        return { sign: "passed", title: "Not compared", text: "This hook de-duplicates nothing." };
      if (delivery.eventId === null)
        return {
          sign: "passed",
          title: "Nothing to compare",
          text: `It does not have ${dedupesBy}, so it counts as new.`,
        };
      return { sign: "done", title: "A new event", text: `Compared by ${dedupesBy}.` };
    default:
      return delivery.status satisfies never;
  }
}

export function describeStorage(delivery: DeliveryFacts): StepWords {
  if (delivery.status !== "rejected") {
    const text = `${describeSize(delivery.bodySize)}, byte for byte, before it was answered.`;
    return { sign: "done", title: "Stored", text };
  }
  const why =
    delivery.verificationOutcome === "failed" ? null : describeReason(delivery.reason ?? "", delivery.detail);
  return { sign: "failed", title: "Rejected, and recorded", text: why === "" ? null : why };
}

/** Why an action made no run of a delivery that was accepted, and what makes it run all the same. */
export function describeIdle({
  isOn,
  isYounger,
}: {
  readonly isOn: boolean;
  readonly isYounger: boolean;
}): string {
  if (!isOn) return "It is switched off.";
  return isYounger
    ? "It is younger than this delivery. Replay runs it."
    : "It was switched off when this arrived. Replay runs it.";
}

/** What a held run waits for; nothing else has to be done for it. */
export function describeHold(hook: HookStatus, isActionOn: boolean): string {
  const held = holds[hook];
  if (held === null && isActionOn) return "Nothing holds it any more: it goes in a moment.";
  if (held === null) return "Its action is switched off. It goes by itself once that is switched on again.";
  if (isActionOn) return `${held.why}. It goes by itself once ${held.until}.`;
  return `${held.why}, and its action is switched off. It goes by itself once ${held.until} and the action is switched on again.`;
}

const holds: Readonly<Record<HookStatus, { readonly why: string; readonly until: string } | null>> = {
  active: null,
  pending: { why: "The hook waits for its signing secret", until: "that is added" },
  paused: { why: "The hook is paused", until: "the hook is resumed" },
  disabled: { why: "The hook is disabled", until: "the hook is enabled" },
};

export const runSigns: Readonly<Record<RunStatus, Sign>> = {
  queued: "now",
  running: "now",
  retrying: "waiting",
  succeeded: "done",
  failed: "failed",
  skipped: "passed",
  cancelled: "passed",
  held: "waiting",
};
