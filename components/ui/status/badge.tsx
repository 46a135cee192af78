import type { ReactNode } from "react";

export type Tone = "neutral" | "positive" | "caution" | "negative";

/** A short state. The text carries the meaning; the color only helps. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={tone === "neutral" ? "badge" : `badge badge-${tone}`}>{children}</span>;
}
