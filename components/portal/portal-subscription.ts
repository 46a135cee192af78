import type { Tone } from "#components/ui/status/badge.tsx";
import type { StatusReason, SubscriptionStatus } from "#lib/schema/sender/subscription.ts";

/** A subscription as its recipient's people see it. */
export type PortalSubscription = {
  readonly id: string;
  readonly receiverUrl: string;
  readonly description: string | null;
  readonly eventTypes: readonly string[];
  readonly status: SubscriptionStatus;
  readonly statusReason: StatusReason | null;
  /** Since when every call has failed; null: the last one didn't. */
  readonly failingSince: Date | null;
  /** Whether it gets events, in one sentence. */
  readonly explanation: { readonly tone: Tone; readonly text: string };
};
