import type { StatusReason, SubscriptionStatus } from "#lib/schema/sender/subscription.ts";

export type PortalSubscription = {
  readonly id: string;
  readonly receiverUrl: string;
  readonly description: string | null;
  readonly eventTypes: readonly string[];
  readonly status: SubscriptionStatus;
  readonly statusReason: StatusReason | null;
  /** Since when every call has failed; null: the last one didn't. */
  readonly failingSince: Date | null;
};

/** In one sentence, for the receiver's own people: does it get events, and if not, why? */
export function explainPortalStatus(
  subscription: Pick<PortalSubscription, "status" | "statusReason" | "failingSince">,
): string {
  const { status, statusReason, failingSince } = subscription;
  if (status === "pending") return "It gets no events until its URL answers the challenge.";
  if (status === "disabled") return whyDisabled[statusReason?.code ?? "manual"];
  if (failingSince !== null)
    return "Events are sent, but the latest calls failed, so they are tried again later.";
  return "Events are sent to this URL as they happen.";
}

const whyDisabled: Readonly<Record<StatusReason["code"], string>> = {
  manual: "It gets no events, because it was disabled.",
  gone: "It gets no events, because the receiver answered 410 (Gone).",
  failing: "It gets no events, because every call failed for five days.",
  challenge: "It gets no events, because its URL didn't answer the challenge.",
};
