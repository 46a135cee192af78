import type { AuditFacts } from "#lib/schema/account/audit.ts";

type Entry = Pick<AuditFacts, "at" | "event" | "actorName" | "targets" | "changes"> & {
  readonly seq: bigint;
};

/** What was done to something that files manage since they were last applied, by something else. */
export type OutsideChange = {
  /** The newest change, and who made it. */
  readonly at: Date;
  readonly by: string;
  /** The fields of all changes, as the audit log names them. Empty: it says no more. */
  readonly fields: readonly string[];
  readonly isDeleted: boolean;
  /** Its name at that time. */
  readonly name: string;
};

const saved = ["updated", "deleted"];

/** Events of the audit log after which something may differ from its files. */
const eventsByKind: Readonly<Record<string, readonly string[]>> = {
  hook: [...saved, "active", "disabled", "paused", "secret.rotated", "actions.ordered"],
  action: saved,
  subscription: [...saved, "enabled", "disabled", "secret.rotated"],
  "event type": ["saved", "deleted"],
  recipient: ["saved", "deleted"],
  credential: saved,
  destination: saved,
  "alert channel": [...saved, "secrets_replaced"],
  "alert rule": saved,
};

export function changingEvents(kinds: readonly string[] = Object.keys(eventsByKind)): string[] {
  return kinds.flatMap((kind) =>
    (eventsByKind[kind] ?? []).map((event) => `${targetType(kind)}.${event}`),
  );
}

type Marked = { readonly kind: string; readonly itemId: string; readonly appliedSeq: bigint };

/** @param entries newest first */
export function findOutsideChange(
  entries: readonly Entry[],
  { kind, itemId, appliedSeq }: Marked,
): OutsideChange | null {
  const type = targetType(kind);
  const events = new Set(changingEvents([kind]));
  const targetOf = ({ targets }: Entry) =>
    targets.find((target) => target.type === type && target.id === itemId);
  const own = entries.filter(
    (entry) =>
      entry.seq > appliedSeq &&
      events.has(entry.event) &&
      targetOf(entry) !== undefined &&
      // Saved without a difference.
      (!entry.event.endsWith(".updated") || (entry.changes ?? []).length > 0),
  );
  const [newest] = own;
  if (newest === undefined) return null;
  const fields = own.flatMap(({ changes }) => changes ?? []).map(({ path }) => path);
  return {
    at: newest.at,
    by: newest.actorName,
    fields: [...new Set(fields)].toSorted(),
    isDeleted: newest.event === `${type}.deleted`,
    name: targetOf(newest)?.name ?? itemId,
  };
}

const targetType = (kind: string) => kind.replace(" ", "_");
