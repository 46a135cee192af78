import { Signal } from "#lib/base/signals.ts";

export type JobReport = {
  readonly kind: string;
  readonly outcome: "worked" | "idle" | "failed";
  readonly durationMs: number;
};

/** A background job had its turn. */
export const jobTurnEnded = new Signal<JobReport>("job.turn_ended");
