import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** Something that configuration files manage. */
export type ConfigurationMark = {
  /** Such as `hook`. */
  readonly kind: string;
  /** An id, or the name of an event type. */
  readonly itemId: string;
  readonly managedBy: string;
  readonly markedAt: Date;
  /** The number of the newest entry of the audit log when the files were last applied. */
  readonly appliedSeq: bigint;
};

const select = {
  kind: true,
  itemId: true,
  managedBy: true,
  markedAt: true,
  appliedSeq: true,
} as const;

/** Also has marks of what was deleted. */
export async function listMarks(
  db: Database | Transaction,
  accountId: string,
): Promise<readonly ConfigurationMark[]> {
  return await db.configurationMark.findMany({ where: { accountId }, select });
}

/** The marks of things of one kind. A mark that is older than its thing is that of an earlier one. */
export async function findMarks(
  db: SqlStatements,
  accountId: string,
  { kind, itemIds }: { readonly kind: string; readonly itemIds: readonly string[] },
): Promise<readonly ConfigurationMark[]> {
  return await db.$queryRaw<ConfigurationMark[]>`
    select m.kind, m.item_id as "itemId", m.managed_by as "managedBy", m.marked_at as "markedAt",
      m.applied_seq as "appliedSeq"
    from configuration_marks m
    where m.account_id = ${accountId}::uuid and m.kind = ${kind} and m.item_id = any(${itemIds}::text[])
      and not exists (select from event_types t where m.kind = 'event type' and t.account_id = m.account_id
        and t.name = m.item_id and t.created_at > m.marked_at)
      and not exists (select from recipients r where m.kind = 'recipient' and r.account_id = m.account_id
        and r.id = m.item_id and r.created_at > m.marked_at)`;
}

/** Removes the mark of one thing. Returns whose it was; null: it has none. */
export async function deleteMark(
  tx: Database | Transaction,
  accountId: string,
  { kind, itemId }: MarkKey,
): Promise<string | null> {
  const where = { accountId, kind, itemId };
  const found = await tx.configurationMark.findFirst({ where });
  const { count } = await tx.configurationMark.deleteMany({ where });
  return count === 0 || found === null ? null : found.managedBy;
}

/** Everything of these kinds that has the mark was applied now. */
export async function noteApplied(
  tx: Database | Transaction,
  accountId: string,
  {
    managedBy,
    kinds,
    appliedSeq,
  }: { readonly managedBy: string; readonly kinds: readonly string[]; readonly appliedSeq: bigint },
): Promise<void> {
  await tx.configurationMark.updateMany({
    where: { accountId, managedBy, kind: { in: [...kinds] } },
    data: { appliedSeq },
  });
}

type MarkKey = Pick<ConfigurationMark, "kind" | "itemId">;
type NewMark = MarkKey & Pick<ConfigurationMark, "managedBy">;

/** Removes marks, then adds others. */
export async function changeMarks(
  tx: Database | Transaction,
  accountId: string,
  { removed, added }: { readonly removed: readonly MarkKey[]; readonly added: readonly NewMark[] },
): Promise<void> {
  for (const kind of new Set(removed.map((mark) => mark.kind))) {
    const ids = removed.filter((mark) => mark.kind === kind).map(({ itemId }) => itemId);
    for (const itemIds of chunk(ids))
      await tx.configurationMark.deleteMany({
        where: { accountId, kind, itemId: { in: itemIds } },
      });
  }
  for (const marks of chunk(added)) {
    const data = marks.map((mark) => ({ ...mark, accountId }));
    await tx.configurationMark.createMany({ data });
  }
}

/** A statement has at most 32,767 parameters. */
const chunkSize = 5_000;

function chunk<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / chunkSize);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * chunkSize, (index + 1) * chunkSize),
  );
}
