import { readHookNames } from "#lib/db/hooks/hook-names.ts";
import { readRecipientNames } from "#lib/db/recipients/recipients.ts";
import { listUsage as findUsage, type UsageRow } from "#lib/db/usage/list-usage.ts";
import { usageQuerySchema } from "#lib/schema/account/usage.ts";
import { service } from "#lib/services/frame/service.ts";

export type NamedUsage = UsageRow & {
  readonly by: "day" | "hook" | "recipient";
  /** Of the hook or the recipient. Null: it has none, or was deleted. */
  readonly name: string | null;
};

const dayMs = 86_400_000;
const defaultDays = 30;

/** What the account has used: whole UTC days, newest first, or hooks or recipients by their ids. */
export const listUsage = service({
  permission: "account:read",
  input: usageQuerySchema,
  run: async ({ db, actor, now }, { by, from, to, limit, cursor, ...filter }) => {
    const { accountId } = actor;
    const nowMs = now().getTime();
    const toMs = to === undefined ? Math.floor(nowMs / dayMs + 1) * dayMs : endOfDay(to);
    const fromMs =
      from === undefined ? toMs - defaultDays * dayMs : Math.floor(from / dayMs) * dayMs;
    const page = await findUsage(
      db,
      accountId,
      { by, fromMs, toMs, ...filter },
      { limit, cursor, nowMs },
    );
    const keys = page.items.map(({ key }) => key);
    const names =
      by === "hook"
        ? await readHookNames(db, accountId, keys)
        : by === "recipient"
          ? await readRecipientNames(db, accountId, keys)
          : new Map<string, string>();
    const items = page.items.map(
      (row): NamedUsage => ({ ...row, by, name: names.get(row.key) ?? null }),
    );
    return { items, nextCursor: page.nextCursor };
  },
});

/** A time within a day means until its end. */
function endOfDay(ms: number): number {
  return Math.ceil(ms / dayMs) * dayMs;
}
