import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Env } from "#lib/core/env/parse-env.ts";

const stateSchema = z.object({
  /** What the build does now, or "failed". */
  step: z.string(),
  /** When the build began, in milliseconds since 1970. */
  since: z.number(),
});

type PendingDashboard = z.output<typeof stateSchema>;

/** Reads how far the build of the dashboard is. Null: it is built. */
export function readPendingDashboard({ internal }: Env): PendingDashboard | null {
  if (internal.pendingDashboard === undefined) return null;
  try {
    return stateSchema.parse(JSON.parse(readFileSync(internal.pendingDashboard, "utf8")));
  } catch {
    return null;
  }
}

/** What to tell people who open the dashboard before it is built. */
export function describePendingDashboard(
  { step, since }: PendingDashboard,
  now: number,
): { readonly title: string; readonly text: string } {
  const works = "Deliveries, API calls, and actions work without it.";
  if (step === "failed")
    return {
      title: "The dashboard could not be built",
      text: `Catchment's output says why. Fix it, then run npm start again. ${works}`,
    };
  const seconds = Math.max(0, Math.round((now - since) / 1_000));
  return {
    title: "The dashboard is being built",
    text: `${step}, ${seconds} s so far. The first start takes about a minute. ${works}`,
  };
}
