import type { StoredDraftView } from "#components/actions/stored/draft-copies.ts";
import { readStoredDraft } from "#components/actions/stored/read-stored-draft.ts";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import { findDraft } from "#lib/services/drafts.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";

type Place = { readonly hookId: string; readonly actionId: string | null };

/** The signed-in person's draft of an action, for its editor. A draft of another form is left out. */
export async function readEditorDraft(place: Place): Promise<StoredDraftView> {
  const session = await requireSession();
  const context = await pageContext();
  const readAtMs = context.now().getTime();
  // Those who can't change actions have none.
  const found = isAllowed(session.role, "hooks:write") ? await findDraft(context, place) : null;
  const key = `${session.userId} ${place.actionId ?? place.hookId}`;
  const draft = found?.content == null ? null : readStoredDraft(found.content);
  if (found === null || draft === null)
    return { key, found: null, revision: found?.revision ?? null, readAtMs };
  const { version, revision, updatedAt } = found;
  const savedAtMs = updatedAt.getTime();
  return { key, found: { draft, version, revision, savedAtMs }, revision, readAtMs };
}
