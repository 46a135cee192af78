/** Limits of steps. A file of their own, so that pages don't load the schema and its parsers. */

/** Steps per action, including those in `onFailure`. */
export const maxSteps = 20;
/** Items per step with `forEach`. */
export const maxStepItems = 1_000;

/** The key of the one call of an action that has no other step. */
export const onlyCallKey = "call";

export const stepKeyPattern = /^[a-z][a-z0-9_]{0,39}$/;

/** Whether a step can have that key. */
export function isStepKey(text: string): boolean {
  return stepKeyPattern.test(text);
}
