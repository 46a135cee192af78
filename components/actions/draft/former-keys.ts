import type { ActionDraft } from "./action-draft.ts";
import { listAllSteps } from "./edit-steps.ts";
import type { StepDraft } from "./step-draft.ts";
import type { StoredAuths } from "./step-views.ts";

export type FormerKeys = Readonly<Record<string, string>>;

/** The former keys by the steps' current keys. */
export function readFormerKeys({ steps }: ActionDraft): FormerKeys {
  return Object.fromEntries(
    listAllSteps(steps).flatMap(({ step: { key, formerKey } }) =>
      formerKey === null ? [] : [[key.trim(), formerKey]],
    ),
  );
}

/** Marks each step as saved with its current key. */
export function markKeysAsSaved(draft: ActionDraft): ActionDraft {
  const mark = (step: StepDraft): StepDraft => ({
    ...step,
    formerKey: step.key.trim(),
    branch: step.branch.map(mark),
  });
  return { ...draft, steps: draft.steps.map(mark) };
}

/** Moves stored credentials to the keys that the steps are saved with. */
export function keepAuths(before: StoredAuths, formerKeys: FormerKeys): StoredAuths {
  return Object.fromEntries(
    Object.entries(formerKeys).flatMap(([key, former]) => {
      const auth = before[former];
      return auth === undefined ? [] : [[key, auth]];
    }),
  );
}
