import type { Tone } from "#components/ui/status/badge.tsx";
import type { SubscriptionStatus } from "#lib/schema/sender/subscription.ts";

type Standing = {
  readonly status: SubscriptionStatus;
  /** When its sends started to fail without a success since; null: they don't. */
  readonly failingSince: Date | null;
};

/** The badge of a subscription. One that only fails must not look as if it were well. */
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
