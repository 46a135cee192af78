/** Numbers of runs that pages say too: apart from the schemas, so that they need none of them. */

const dayMs = 86_400_000;
/** The time that is looked at if a request doesn't say, and how pages name it in a link. */
export const failuresSpanMs = 7 * dayMs;
export const failuresSpan = "7d";
/** More failed runs are not counted: 200,000 take 30 ms. */
export const maxFailedRuns = 200_000;

/** The number of runs of a trial. */
export const trialSize = 5;
