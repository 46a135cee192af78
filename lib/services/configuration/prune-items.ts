import { AppError, invalidField } from "#lib/base/errors.ts";
import type { ConfigurationMark } from "#lib/db/accounts/configuration-marks.ts";
import type { Configuration } from "#lib/schema/configuration.ts";
import { type MarkedKind, markedKinds } from "#lib/schema/configuration-plan.ts";
import { deleteAction } from "#lib/services/actions/write-actions.ts";
import { deleteChannel } from "#lib/services/alerts/alert-channels.ts";
import { deleteRule } from "#lib/services/alerts/alert-rules.ts";
import { deleteCredential } from "#lib/services/credentials.ts";
import { deleteDestination } from "#lib/services/destinations.ts";
import { deleteEventType } from "#lib/services/event-types.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { deleteHook } from "#lib/services/hooks/delete-hook.ts";
import { deleteRecipient } from "#lib/services/recipients.ts";
import { deleteSubscription } from "#lib/services/subscriptions/write-subscriptions.ts";
import type { ImportRun } from "./import-run.ts";
import { listGiven, listMarked, type Marked } from "./list-configured.ts";
import type { AccountItems } from "./read-items.ts";

type Prune = {
  readonly file: Configuration;
  /** After the import, so that what was renamed has its new name. */
  readonly items: AccountItems;
  readonly marks: readonly ConfigurationMark[];
  readonly maxPercent: number;
};

/** Deletes what has the mark of the files and isn't in them. Returns how many were deleted. */
export async function pruneItems(
  run: ImportRun,
  { file, items, marks, maxPercent }: Prune,
): Promise<number> {
  const { managedBy } = file;
  const { given, lists, whole } = listGiven(file);
  if (managedBy === undefined)
    throw invalidField(
      "managedBy",
      "must be there to prune: only what has this mark of your files is deleted",
      "required",
    );
  if (given.size === 0)
    throw new AppError(
      "invalid_request",
      "The files have nothing in them, and prune would delete everything that they manage: check " +
        "that all files were sent.",
    );
  const own = listMarked(items).filter((item) => markOf(marks, item)?.managedBy === managedBy);
  const missing = own.filter((item) => !given.has(item.what));
  const missingHooks = new Set(
    missing.filter(({ kind }) => kind === "hook" && lists.has(kind)).map(({ what }) => what),
  );
  // Actions go with their hook.
  const isListed = ({ kind, hook }: Marked) =>
    kind === "action" ? whole.has(hook ?? "") || missingHooks.has(hook ?? "") : lists.has(kind);
  const doomed = missing.filter(isListed);
  noteUnlisted(run, missing, lists);
  if (doomed.length * 100 > own.length * maxPercent)
    throw invalidField(
      "maxPrunePercent",
      `prune would delete ${doomed.length} of ${own.length} that "${managedBy}" manages, and at most ` +
        `${maxPercent} % are allowed: check the files, or allow more`,
      "out_of_range",
    );
  for (const kind of markedKinds)
    for (const item of doomed.filter((each) => each.kind === kind))
      await run.item(`prune: ${item.what}`, () => deleteItem(run.context, item));
  return doomed.length;
}

/** Deletes nothing of a kind whose list is left out: the file with it may be missing. */
function noteUnlisted(
  run: ImportRun,
  missing: readonly Marked[],
  lists: ReadonlySet<MarkedKind>,
): void {
  for (const kind of markedKinds) {
    const count = missing.filter((item) => item.kind === kind).length;
    if (kind === "action" || lists.has(kind) || count === 0) continue;
    run.toDo(
      `The files have no list of ${kind}s, so ${count} that they manage stay. An empty list deletes them.`,
    );
  }
}

/** The mark of an item. One that is older than its item is that of an earlier one. */
export function markOf(
  marks: readonly ConfigurationMark[],
  item: Marked,
): ConfigurationMark | undefined {
  const index = indexes.get(marks) ?? indexMarks(marks);
  const mark = index.get(`${item.kind} ${item.id}`);
  if (mark === undefined || item.createdAt === null) return mark;
  return mark.markedAt < item.createdAt ? undefined : mark;
}

const indexes = new WeakMap<object, ReadonlyMap<string, ConfigurationMark>>();

function indexMarks(marks: readonly ConfigurationMark[]): ReadonlyMap<string, ConfigurationMark> {
  const index = new Map(marks.map((mark) => [`${mark.kind} ${mark.itemId}`, mark]));
  indexes.set(marks, index);
  return index;
}

const deleters: Readonly<
  Record<MarkedKind, (context: ServiceContext, id: string) => Promise<unknown>>
> = {
  "alert rule": (context, id) => deleteRule(context, { id }),
  "alert channel": (context, id) => deleteChannel(context, { id }),
  subscription: (context, id) => deleteSubscription(context, { id }),
  recipient: (context, id) => deleteRecipient(context, { id }),
  "event type": (context, name) => deleteEventType(context, { name }),
  action: (context, id) => deleteAction(context, { id }),
  hook: (context, id) => deleteHook(context, { id }),
  destination: (context, id) => deleteDestination(context, { id }),
  credential: (context, id) => deleteCredential(context, { id }),
};

async function deleteItem(context: ServiceContext, { kind, id }: Marked): Promise<void> {
  await deleters[kind](context, id);
}
