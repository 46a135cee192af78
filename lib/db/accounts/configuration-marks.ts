import type { Database, Transaction } from "#lib/db/postgres/client.ts";

/** Something that configuration files manage. */
export type ConfigurationMark = {
  /** Such as `hook`. */
  readonly kind: string;
  /** An id, or the name of an event type. */
  readonly itemId: string;
  readonly managedBy: string;
  readonly markedAt: Date;
};

const select = { kind: true, itemId: true, managedBy: true, markedAt: true } as const;

/** Also has marks of what was deleted. */
export async function listMarks(
  db: Database | Transaction,
  accountId: string,
): Promise<readonly ConfigurationMark[]> {
  return await db.configurationMark.findMany({ where: { accountId }, select });
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
