import type { ActionDraft } from "./action-draft.ts";
import { listAllSteps } from "./edit-steps.ts";
import type { StepDraft } from "./step-draft.ts";
import type { StoredAuths } from "./step-views.ts";

export type FormerKeys = Readonly<Record<string, string>>;

/** By the keys that the steps have now. */
export function readFormerKeys({ steps }: ActionDraft): FormerKeys {
  return Object.fromEntries(
    listAllSteps(steps).flatMap(({ step: { key, formerKey } }) =>
      formerKey === null ? [] : [[key.trim(), formerKey]],
    ),
  );
}

/** From now on each step is known by the key that it was saved with. */
export function settleKeys(draft: ActionDraft): ActionDraft {
  const settle = (step: StepDraft): StepDraft => ({
    ...step,
    formerKey: step.key.trim(),
    branch: step.branch.map(settle),
  });
  return { ...draft, steps: draft.steps.map(settle) };
}

/** Stored credentials, by the keys that the steps are saved with. */
export function keepAuths(before: StoredAuths, formerKeys: FormerKeys): StoredAuths {
  return Object.fromEntries(
    Object.entries(formerKeys).flatMap(([key, former]) => {
      const auth = before[former];
      return auth === undefined ? [] : [[key, auth]];
    }),
  );
}
