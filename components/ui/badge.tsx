import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type Tone = "neutral" | "positive" | "caution" | "negative";

/** A short state. The text carries the meaning; the color only helps. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        "inline-block rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap first-letter:uppercase",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

const tones: Record<Tone, string> = {
  neutral: "bg-muted text-muted-foreground",
  positive: "bg-positive-ground text-positive",
  caution: "bg-caution-ground text-caution",
  negative: "bg-negative-ground text-negative",
};
