import {
  type ConfigurationMark,
  changeMarks,
  noteApplied,
} from "#lib/db/accounts/configuration-marks.ts";
import { lockHead } from "#lib/db/audit/audit-log.ts";
import type { Configuration } from "#lib/schema/configuration.ts";
import type { ImportRun } from "./import-run.ts";
import { listGiven, listMarked } from "./list-configured.ts";
import { markOf } from "./prune-items.ts";
import type { AccountItems } from "./read-items.ts";

type Adopting = {
  readonly file: Configuration;
  readonly after: AccountItems;
  readonly marks: readonly ConfigurationMark[];
};

/**
 * Marks what is in the files, unless they have no mark, and removes marks of what is gone. Returns how
 * many items didn't have the mark.
 */
export async function adoptItems(
  run: ImportRun,
  { file, after, marks }: Adopting,
): Promise<number> {
  const { db, actor } = run.context;
  const { managedBy } = file;
  const { given } = listGiven(file);
  const items = listMarked(after);
  const isGiven = managedBy === undefined ? () => false : (what: string) => given.has(what);
  const adopted = items.filter(
    (item) => isGiven(item.what) && markOf(marks, item)?.managedBy !== managedBy,
  );
  const kept = new Set(items.flatMap((item) => markOf(marks, item) ?? []));
  for (const item of adopted) {
    const former = markOf(marks, item);
    if (former === undefined) continue;
    kept.delete(former);
    run.toDo(`${item.what} was managed by "${former.managedBy}": remove it from those files.`);
  }
  await changeMarks(db, actor.accountId, {
    removed: marks.filter((mark) => !kept.has(mark)),
    added: adopted.map(({ kind, id }) => ({ kind, itemId: id, managedBy: managedBy ?? "" })),
  });
  if (managedBy !== undefined) await noteLists(run, managedBy);
  return adopted.length;
}

/** What was changed until now was seen in a plan. A list that is left out wasn't compared. */
async function noteLists(run: ImportRun, managedBy: string): Promise<void> {
  const { db, actor } = run.context;
  const { lists } = listGiven(run.file);
  const kinds = [...lists, ...(lists.has("hook") ? ["action"] : [])];
  const head = await db.$transaction((tx) => lockHead(tx, actor.accountId));
  const appliedSeq = head?.seq ?? 0n;
  await noteApplied(db, actor.accountId, { managedBy, kinds, appliedSeq });
}
