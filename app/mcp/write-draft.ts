import { toDraft } from "#components/actions/draft/action-draft.ts";
import type { WriteDraft } from "#lib/web/mcp/frame/tool.ts";

/** Writes an action as its editor stores what a person has typed. */
export const writeDraft: WriteDraft = (action, withAuth) => {
  const draft = toDraft({ ...action, position: action.position ?? 0 }, withAuth);
  return JSON.stringify(action.position === null ? { ...draft, position: "" } : draft);
};
