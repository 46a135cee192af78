import {
  changingEvents,
  findOutsideChange,
  type OutsideChange,
} from "#lib/core/configuration/changed-outside.ts";
import type { ItemDifference } from "#lib/core/configuration/compare.ts";
import type { ConfigurationMark } from "#lib/db/accounts/configuration-marks.ts";
import { listEntriesAfter } from "#lib/db/audit/list-entries.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { Configuration } from "#lib/schema/configuration.ts";
import { listMarked } from "./list-configured.ts";
import { markOf } from "./prune-items.ts";
import type { AccountItems } from "./read-items.ts";

export type ChangedOutside = Omit<OutsideChange, "name"> & {
  readonly kind: string;
  /** In words, such as `hook "Orders"`. */
  readonly what: string;
  /** True: apply undoes it. */
  readonly isUndone: boolean;
};

type Files = {
  readonly file: Configuration;
  readonly before: AccountItems;
  readonly marks: readonly ConfigurationMark[];
};

/** An account that changes more between two applies gets the newest ones. */
const maxEntries = 5_000;

/** What the mark of the files is on, and something else has changed since they were applied. */
export async function readOutsideChanges(
  db: Database,
  accountId: string,
  { file, before, marks }: Files,
): Promise<readonly Omit<ChangedOutside, "isUndone">[]> {
  const own = marks.filter(({ managedBy }) => managedBy === file.managedBy);
  const [seq] = own.map(({ appliedSeq }) => appliedSeq).toSorted(compareNumbers);
  if (seq === undefined) return [];
  const entries = await listEntriesAfter(db, accountId, {
    seq,
    events: changingEvents([...new Set(own.map(({ kind }) => kind))]),
    target: null,
    limit: maxEntries,
  });
  if (entries.length === 0) return [];
  const present = new Map(
    listMarked(before).flatMap((item) => {
      const mark = markOf(own, item);
      return mark === undefined ? [] : [[mark, item.what] as const];
    }),
  );
  return own.flatMap((mark) => {
    const change = findOutsideChange(entries, mark);
    const what = present.get(mark);
    if (change === null || (what === undefined && !change.isDeleted)) return [];
    const { name, ...shown } = change;
    const { kind } = mark;
    const isDeleted = what === undefined;
    return [{ ...shown, kind, what: what ?? `${kind} ${JSON.stringify(name)}`, isDeleted }];
  });
}

const compareNumbers = (one: bigint, other: bigint) => Number(one - other);

/** Whether these differences include what was changed: its files say something else. */
export function isUndone(
  items: readonly ItemDifference[],
  { what, isDeleted }: Pick<ChangedOutside, "what" | "isDeleted">,
): boolean {
  return items.some(
    (item) =>
      (item.op === "add") === isDeleted &&
      // An action's words begin with its hook, whose name the log doesn't have.
      (item.what === what || (isDeleted && item.what.endsWith(`, ${what}`))),
  );
}
