import type { Database, Transaction } from "#lib/db/postgres/client.ts";

/** One person's draft of an action. */
export type DraftOwner = {
  readonly accountId: string;
  readonly userId: string;
  readonly hookId: string;
  /** Null: the draft is of a new action of the hook. */
  readonly actionId: string | null;
};

type DraftRecord = {
  /** The version that the draft started from. Null: the action is new. */
  readonly version: number | null;
  /** Counts the changes that were stored. */
  readonly revision: number;
  /** Sealed. */
  readonly content: Uint8Array;
  readonly updatedAt: Date;
};

/** The id in the key: an action has one draft of each person, and a hook one of a new action. */
export function targetOf({ actionId, hookId }: Pick<DraftOwner, "actionId" | "hookId">): string {
  return actionId ?? hookId;
}

type DraftChange = Omit<DraftRecord, "revision"> & {
  /** The revision that the change was made to. Null: there was no draft. */
  readonly before: number | null;
};

/**
 * Stores a draft and returns its revision. Null: it has changed meanwhile. One that was removed
 * meanwhile is stored again, because it is still being typed.
 */
export async function upsertDraft(
  db: Database,
  owner: DraftOwner,
  { version, before, content, updatedAt }: DraftChange,
): Promise<number | null> {
  const { userId, accountId, hookId, actionId } = owner;
  const rows = await db.$queryRaw<{ revision: number }[]>`
    insert into action_drafts (user_id, target_id, account_id, hook_id, action_id, version, revision, content, updated_at)
    values (${userId}::uuid, ${targetOf(owner)}::uuid, ${accountId}::uuid, ${hookId}::uuid, ${actionId}::uuid,
      ${version}::int, ${(before ?? 0) + 1}::int, ${content}::bytea, ${updatedAt}::timestamptz)
    on conflict (user_id, target_id) do update set
      version = excluded.version, revision = action_drafts.revision + 1, content = excluded.content,
      updated_at = excluded.updated_at
    where action_drafts.revision = ${before}::int
    returning revision`;
  return rows[0]?.revision ?? null;
}

export async function findDraft(
  db: Database | Transaction,
  owner: DraftOwner,
): Promise<DraftRecord | null> {
  const { accountId, userId } = owner;
  return await db.actionDraft.findFirst({
    where: { userId, targetId: targetOf(owner), accountId },
    select: { version: true, revision: true, content: true, updatedAt: true },
  });
}

type DraftSummary = { readonly actionId: string | null; readonly updatedAt: Date };

/** A person's drafts of the actions of a hook, without their content. */
export async function listDrafts(
  db: Database,
  { accountId, userId, hookId }: Omit<DraftOwner, "actionId">,
): Promise<readonly DraftSummary[]> {
  return await db.actionDraft.findMany({
    where: { accountId, userId, hookId },
    select: { actionId: true, updatedAt: true },
    orderBy: { updatedAt: "desc" },
  });
}

/** Removes a draft, if there is one. */
export async function deleteDraft(db: Database | Transaction, owner: DraftOwner): Promise<void> {
  const { accountId, userId } = owner;
  await db.actionDraft.deleteMany({ where: { userId, targetId: targetOf(owner), accountId } });
}
