import { describeCount } from "#components/ui/text/describe-count.ts";

/** The result of verifying the pending deliveries. */
export type Verified = {
  readonly accepted: number;
  readonly duplicate: number;
  readonly rejected: number;
  readonly pending: number;
};

/**
 * If none matched, nothing was changed: a wrong secret is far more likely than only forged
 * deliveries.
 */
export function describeVerified({ accepted, duplicate, rejected, pending }: Verified): {
  readonly words: string;
  readonly isDone: boolean;
} {
  const changed = accepted + duplicate + rejected;
  if (changed === 0 && pending > 0) {
    return {
      words:
        `None of ${describeCount(pending, "delivery", "deliveries")} was ` +
        "signed with this secret, so nothing was changed. Check that it is the secret " +
        "of this catch URL, and paste it again in the settings.",
      isDone: false,
    };
  }
  const parts = [
    accepted > 0 && `${accepted.toLocaleString("en")} accepted`,
    duplicate > 0 && describeCount(duplicate, "duplicate"),
    rejected > 0 && `${rejected.toLocaleString("en")} rejected`,
    pending > 0 && `${pending.toLocaleString("en")} still pending`,
  ].filter((part) => part !== false);
  return {
    words:
      parts.length === 0
        ? "There are no deliveries left to verify."
        : `Verified: ${parts.join(", ")}.`,
    isDone: true,
  };
}
