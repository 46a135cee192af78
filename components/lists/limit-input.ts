/** The limits of a job, as text. */
export type LimitInput = {
  readonly ratePerMinute: string;
  readonly stopAfterFailures: string;
  readonly trial: boolean;
};

/** A trial, and then as fast as possible. */
export const trialOnly: LimitInput = { ratePerMinute: "", stopAfterFailures: "", trial: true };
