import { z } from "zod";
import { changingEvents, findOutsideChange } from "#lib/core/configuration/changed-outside.ts";
import { deleteMark, findMarks } from "#lib/db/accounts/configuration-marks.ts";
import { listEntriesAfter } from "#lib/db/audit/list-entries.ts";
import { configuredItemSchema, markedKinds } from "#lib/schema/configuration-plan.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Something that configuration files manage. */
export type Managed = {
  /** The mark of the files. */
  readonly managedBy: string;
  /** What was changed since the files were last applied. Null: nothing. */
  readonly changed: { readonly at: Date; readonly fields: readonly string[] } | null;
};

const maxEntries = 100;

/** Whose files manage a thing, and what was changed outside of them. Null: no file does. */
export const readManaged = service({
  permission: "account:read",
  input: configuredItemSchema,
  run: async ({ db, actor }, { kind, id }): Promise<Managed | null> => {
    const [mark] = await findMarks(db, actor.accountId, { kind, itemIds: [id] });
    if (mark === undefined) return null;
    const { managedBy, appliedSeq } = mark;
    const entries = await listEntriesAfter(db, actor.accountId, {
      seq: appliedSeq,
      events: changingEvents([kind]),
      target: id,
      limit: maxEntries,
    });
    const change = findOutsideChange(entries, mark);
    const changed = change === null ? null : { at: change.at, fields: change.fields };
    return { managedBy, changed };
  },
});

/** Whose files manage things of one kind, by id. Those that no file manages are left out. */
export const listManaged = service({
  permission: "account:read",
  input: z.strictObject({ kind: z.enum(markedKinds), ids: z.array(z.string()).max(500) }),
  run: async ({ db, actor }, { kind, ids }): Promise<ReadonlyMap<string, string>> => {
    if (ids.length === 0) return new Map();
    const marks = await findMarks(db, actor.accountId, { kind, itemIds: ids });
    return new Map(marks.map(({ itemId, managedBy }) => [itemId, managedBy]));
  },
});

/** Removes the mark: the thing stays as it is, and prune no longer deletes it. Again is no error. */
export const releaseManaged = service({
  permission: "configuration:write",
  input: configuredItemSchema,
  run: async (context, { kind, id }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      const managedBy = await deleteMark(tx, context.actor.accountId, { kind, itemId: id });
      if (managedBy === null) return;
      const targets = [{ type: kind.replace(" ", "_"), id }];
      const states = { before: { managedBy }, after: { managedBy: null } };
      await audit(context, { event: "configuration.released", targets, ...states }, tx);
    });
  },
});
