/**
 * Limits of steps. They have their own file, so that pages don't load the schema and its parsers.
 */

/** Steps per action, including those in `onFailure`. */
export const maxSteps = 20;
/** Items per step with `forEach`. */
export const maxStepItems = 1_000;

/** The key of the call in an action without other steps. */
export const onlyCallKey = "call";

export const stepKeyPattern = /^[a-z][a-z0-9_]{0,39}$/;

/** True if the text can be the key of a step. */
export function isStepKey(text: string): boolean {
  return stepKeyPattern.test(text);
}
