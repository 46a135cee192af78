import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
import type { Tone } from "./badge.tsx";

/** A message about everything below it. Errors are announced immediately. */
export function Notice({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div
      role={tone === "negative" ? "alert" : "status"}
      className={classNames("rounded-md px-3 py-2.5 text-sm", tones[tone])}
    >
      {children}
    </div>
  );
}

const tones: Record<Tone, string> = {
  neutral: "bg-muted",
  positive: "bg-positive-ground text-positive",
  caution: "bg-caution-ground text-caution",
  negative: "bg-negative-ground text-negative",
};
