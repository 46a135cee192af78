import type { SavedAction } from "#lib/schema/act/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ActionDraft } from "../draft/action-draft.ts";
import type { ActionStart } from "../draft/action-presets.ts";
import type { NewPlace } from "../draft/edit-steps.ts";
import type { RequestDraft } from "../draft/request-draft.ts";
import type { StepDraft, StepKind } from "../draft/step-draft.ts";
import type { StepResultView, StepRunView, StoredAuths } from "../draft/step-views.ts";
import type { MappingDelivery } from "../source/mapping-delivery.ts";
import type { Chosen, MappingPayload } from "../source/mapping-source.tsx";

/** The state of an action's editor. `read-editor.ts` computes what it shows. */
export type EditorState = {
  readonly draft: ActionDraft;
  /**
   * The action that the draft changes, with its version, which is null if it isn't saved yet. Both
   * change at once. Otherwise the draft would differ for a moment, and be stored again.
   */
  readonly base: { readonly draft: ActionDraft; readonly version: number | null };
  readonly storedAuths: StoredAuths;
  /** The result of the last save, as long as the draft is unchanged. */
  readonly saved: CommandResult<SavedAction> | undefined;
  /** A new action was saved, and its own page is about to replace this one. */
  readonly isLeaving: boolean;
  /** The id of the expanded step, which the preview shows. */
  readonly openId: number | null;
  /** A single call is shown as a step. */
  readonly showsSteps: boolean;
  /** The delivery that is mapped. Null: nothing has arrived. */
  readonly chosen: Chosen | null;
  /** The event type of a delivery that the mapping fitted, before another one was chosen. */
  readonly fittingType: string | null;
  readonly itemIndex: number;
  /** The calls made with "Run this step" for the chosen delivery, by the id of the step. */
  readonly calls: ReadonlyMap<number, StepRunView>;
  /** The values of transforms for the chosen delivery, from their previews. */
  readonly values: ReadonlyMap<number, StepResultView>;
  /** Effects that the page has once, after the last event that asks for something. */
  readonly reaction: EditorReaction | null;
};

export type EditorReaction = {
  /** A selector of the element that gets the focus. */
  readonly focus?: string;
  /** For screen readers. */
  readonly announce?: string;
  readonly warn?: string;
};

export type EditorEvent =
  | { readonly kind: "changed"; readonly change: Partial<ActionDraft> }
  | { readonly kind: "started"; readonly start: ActionStart }
  | { readonly kind: "template_chosen"; readonly draft: ActionDraft }
  | { readonly kind: "steps_shown" }
  | { readonly kind: "step_opened"; readonly id: number | null }
  | {
      readonly kind: "step_changed";
      readonly id: number;
      readonly change: (step: StepDraft) => StepDraft;
    }
  | {
      readonly kind: "request_changed";
      readonly id: number;
      readonly change: Partial<RequestDraft>;
    }
  | { readonly kind: "step_renamed"; readonly id: number; readonly key: string }
  | { readonly kind: "step_moved"; readonly id: number; readonly to: number }
  | { readonly kind: "step_added"; readonly work: StepKind; readonly place: NewPlace }
  | { readonly kind: "step_duplicated"; readonly id: number }
  | { readonly kind: "step_removed"; readonly id: number }
  /** `fits`: the mapping could be sent for the delivery that was chosen before. Null: not known yet. */
  | { readonly kind: "delivery_chosen"; readonly chosen: Chosen; readonly fits: boolean | null }
  | { readonly kind: "item_chosen"; readonly index: number }
  | { readonly kind: "call_made"; readonly id: number; readonly call: StepRunView }
  | { readonly kind: "value_computed"; readonly id: number; readonly value: StepResultView }
  /** `draft`: what was sent. Something else may have been typed since. */
  | {
      readonly kind: "save_ended";
      readonly draft: ActionDraft;
      readonly result: CommandResult<SavedAction>;
    }
  /** The draft is now a change of another version. */
  | { readonly kind: "version_kept"; readonly version: number };

type StartingEditor = {
  /** The action as saved, or an empty one. */
  readonly action: { readonly draft: ActionDraft; readonly storedAuths: StoredAuths };
  /** The save that brought the user here. */
  readonly saved: EditorState["saved"];
  /** The draft from before, or else the saved action. */
  readonly start: { readonly draft: ActionDraft; readonly version: number | null };
  readonly source: {
    readonly deliveries: readonly MappingDelivery[];
    /** The first delivery to show. Null: nothing has arrived. */
    readonly deliveryId: string | null;
    readonly payload: MappingPayload | null;
  };
};

/** No results. */
export const none: ReadonlyMap<number, never> = new Map<number, never>();

export function startEditor({ action, saved, start, source }: StartingEditor): EditorState {
  const delivery = source.deliveries.find(({ id }) => id === source.deliveryId);
  const { payload } = source;
  return {
    draft: start.draft,
    base: { draft: action.draft, version: start.version },
    storedAuths: action.storedAuths,
    saved,
    isLeaving: false,
    openId: start.draft.steps[0]?.id ?? null,
    showsSteps: false,
    chosen: delivery === undefined || payload === null ? null : { delivery, payload },
    fittingType: null,
    itemIndex: 0,
    calls: none,
    values: none,
    reaction: null,
  };
}
