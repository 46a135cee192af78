import { listActionTemplates } from "#lib/core/mapping/action-templates/list-action-templates.ts";
import { actionInputSchema } from "#lib/schema/act/action.ts";
import { type ActionDraft, toDraft } from "../draft/action-draft.ts";

/** A template in the form in which the editor uses it. */
export type TemplateStart = {
  readonly id: string;
  readonly title: string;
  readonly does: string;
  readonly fillIn: readonly string[];
  /** True if it is made for the hook's provider. */
  readonly isOwn: boolean;
  readonly draft: ActionDraft;
};

/**
 * Runs on the server, because parsing templates needs all schemas of actions. The provider's own
 * come first.
 */
export function listTemplateStarts(provider: string): readonly TemplateStart[] {
  return listActionTemplates(provider).map(({ id, title, does, fillIn, providers, action }) => {
    const { request = null, steps = null, ...parsed } = actionInputSchema.parse(action);
    const draft = toDraft({ ...parsed, request, steps, position: 0 }, new Set());
    const isOwn = providers.includes(provider);
    return { id, title, does, fillIn, isOwn, draft: { ...draft, position: "" } };
  });
}
