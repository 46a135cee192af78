import type { Tone } from "#components/ui/status/badge.tsx";
import type { ReceiverKind } from "#lib/schema/send/receiver-kind.ts";
import type { StatusReason } from "#lib/schema/send/subscription.ts";
import type { SubscriptionStatus } from "#lib/schema/send/subscription-status.ts";

/** A subscription as shown in the portal. */
export type PortalSubscription = {
  readonly id: string;
  readonly receiverUrl: string;
  readonly description: string | null;
  readonly eventTypes: readonly string[];
  readonly status: SubscriptionStatus;
  readonly statusReason: StatusReason | null;
  /** The time since when every call has failed. Null: the last one succeeded. */
  readonly failingSince: Date | null;
  readonly receiver: ReceiverKind;
  /** The client certificate that its calls have. */
  readonly certificate: { readonly subject: string; readonly expiresAt: string } | null;
  /** A date, `first`, or `newest`. */
  readonly version: string;
  /** The explanation of whether it gets events, in one sentence. */
  readonly explanation: { readonly tone: Tone; readonly text: string };
};
