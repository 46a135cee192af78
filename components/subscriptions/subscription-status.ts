import type { Tone } from "#components/ui/status/badge.tsx";
import type { SubscriptionStatus } from "#lib/schema/send/subscription-status.ts";

type Standing = {
  readonly status: SubscriptionStatus;
  /** The time since when its sends have failed without a success. Null: they don't fail. */
  readonly failingSince: Date | null;
};

/** The badge of a subscription. A subscription that only fails must not look healthy. */
export function describeStatus({ status, failingSince }: Standing): {
  readonly words: string;
  readonly tone: Tone;
} {
  if (status === "active" && failingSince !== null) return { words: "Failing", tone: "negative" };
  return statusWords[status];
}

export const statusWords: Readonly<Record<SubscriptionStatus, { words: string; tone: Tone }>> = {
  active: { words: "Active", tone: "positive" },
  pending: { words: "Awaiting challenge", tone: "caution" },
  disabled: { words: "Disabled", tone: "neutral" },
};
