import { z } from "zod";
import { actionDraftPlace } from "#lib/core/people/seal/seal-places.ts";
import {
  findDraft as findRow,
  listDrafts as listRows,
  targetOf,
} from "#lib/db/actions/action-drafts.ts";
import { draftPlaceSchema } from "#lib/schema/act/draft.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { requireUser } from "#lib/services/account/require-user.ts";
import { service } from "#lib/services/frame/service.ts";
import { requireDraftOwner } from "./draft-owner.ts";

type FoundDraft = {
  /** The editor's fields as JSON. Null: they can't be opened, because the secret key has changed. */
  readonly content: string | null;
  readonly version: number | null;
  readonly revision: number;
  readonly updatedAt: Date;
};

/** The signed-in person's draft of an action, or of a hook's new one. */
export const findDraft = service({
  permission: "hooks:write",
  input: draftPlaceSchema,
  run: async (context, place): Promise<FoundDraft | null> => {
    const { owner } = await requireDraftOwner(context, place);
    const found = await findRow(context.db, owner);
    if (found === null) return null;
    const { content, ...draft } = found;
    const { accountId, userId } = owner;
    const sealPlace = actionDraftPlace(accountId, { userId, targetId: targetOf(owner) });
    const opened = context.sealer.open(content, sealPlace);
    return { ...draft, content: opened.ok ? Buffer.from(opened.plaintext).toString() : null };
  },
});

/** The signed-in person's drafts of the actions of a hook. */
export const listDrafts = service({
  permission: "hooks:write",
  input: z.strictObject({ hookId: recordId }),
  run: async ({ db, actor }, { hookId }) => {
    const { accountId, userId } = requireUser(actor);
    return await listRows(db, { accountId, userId, hookId });
  },
});
