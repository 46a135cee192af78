"use server";

import type { DraftInput, DraftResult } from "#components/actions/stored/draft-keeper.ts";
import type { StoredDraft } from "#lib/schema/act/draft.ts";
import type { ShownChange } from "#lib/schema/act/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { compareWithCurrent } from "#lib/services/actions/read-actions.ts";
import { discardDraft, storeDraft } from "#lib/services/drafts.ts";
import { listChanges } from "#lib/web/actions/versions.ts";
import { askService, stayOnPage } from "#lib/web/auth/run-service.ts";
import { readSession } from "#lib/web/auth/session.ts";

/** An action of a hook. A null id stands for a new action. */
type Place = { readonly hookId: string; readonly actionId: string | null };

/** Stores what is typed in the editor. Pages aren't read again: only the editor shows it. */
export async function storeDraftCommand(place: Place, input: DraftInput): Promise<DraftResult> {
  return await runDraft(() => askService(storeDraft, { ...place, ...input }));
}

export async function discardDraftCommand(place: Place): Promise<DraftResult> {
  return await runDraft(() => askService(discardDraft, place));
}

/** The changes of the version in force since an earlier one. */
export async function showChangesCommand(
  { actionId }: Place,
  from: number,
): Promise<CommandResult<readonly ShownChange[]>> {
  return await stayOnPage(async () => {
    const found = await askService(compareWithCurrent, { id: actionId ?? "", from });
    return found.ok ? { ok: true, value: listChanges(found.value) } : found;
  });
}

async function runDraft(run: () => Promise<CommandResult<StoredDraft>>): Promise<DraftResult> {
  if ((await readSession()) === null) return { kind: "signed_out" };
  const result = await run();
  if (result.ok) return { kind: "done", draft: result.value };
  return { kind: "rejected", message: result.errors[0]?.message ?? result.message };
}
