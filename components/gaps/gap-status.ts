import type { Tone } from "#components/ui/status/badge.tsx";
import type { GapStatus } from "#lib/schema/receive/gap.ts";

/** A search, as its page shows it. */
export type GapView = {
  readonly id: string;
  readonly status: GapStatus;
  readonly summary: string;
  readonly reason: string | null;
  readonly isCut: boolean;
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly eventCount: number;
  readonly missingCount: number;
  readonly takenCount: number;
  readonly repeatedCount: number;
  readonly askedBy: string;
  readonly createdAt: Date;
};

export const gapStatusWords: Readonly<
  Record<GapStatus, { readonly label: string; readonly tone: Tone }>
> = {
  asking: { label: "Searching", tone: "neutral" },
  found: { label: "Searched", tone: "positive" },
  failed: { label: "Failed", tone: "negative" },
  cancelled: { label: "Stopped", tone: "neutral" },
};
