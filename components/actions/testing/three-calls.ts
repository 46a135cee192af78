import type { PayloadNodeView } from "#components/payload/payload-rows.ts";
import { type ActionDraft, newDraft } from "../draft/action-draft.ts";
import { newStep, type StepDraft } from "../draft/step-draft.ts";

export const call = (id: number, key: string, more: Partial<StepDraft> = {}): StepDraft => ({
  ...newStep("call", { id, key, formerKey: key }),
  ...more,
});

/** find, send (with tell if it fails), last */
export const three: ActionDraft = {
  ...newDraft,
  name: "Three calls",
  steps: [
    call(0, "find"),
    call(1, "send", { onFailure: "steps", branch: [call(2, "tell")] }),
    call(3, "last"),
  ],
};

export const node = (
  key: string,
  path: string,
  text = "",
  children: readonly PayloadNodeView[] = [],
) => ({
  ...{ key, path, text, children, size: children.length, isCut: false },
  kind: children.length > 0 ? ("object" as const) : ("number" as const),
});
export const output = (key: string, status: string) => ({
  key,
  tree: node(key, `steps.${key}`, "", [node("status", `steps.${key}.status`, status)]),
});
