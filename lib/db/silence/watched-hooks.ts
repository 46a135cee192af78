import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

export type WatchedHook = {
  readonly hookId: string;
  readonly accountId: string;
  readonly name: string;
  /** The `silence` column of the hook. */
  readonly silence: unknown;
  readonly watchedSince: Date;
  readonly silentSince: Date | null;
};

/** More hooks wait for the next turn. */
const batch = 500;

/** Begins to watch hooks that have become active. Returns the number. */
export async function watchHooks(db: SqlStatements): Promise<number> {
  return await db.$executeRaw`
    insert into watched_hooks (hook_id, account_id)
    select id, account_id from hooks h
    where status = 'active' and pending_since is null and deleted_at is null
      and coalesce(silence->>'enabled', 'true') = 'true'
      and not exists (select from watched_hooks w where w.hook_id = h.id)
    order by id limit ${batch}::int
    on conflict do nothing`;
}

/**
 * Stops watching hooks that are paused, disabled, deleted, or no longer to be watched. A silence of
 * one is over with it.
 */
export async function stopWatching(
  db: SqlStatements,
): Promise<readonly Pick<WatchedHook, "hookId" | "accountId" | "silentSince">[]> {
  return await db.$queryRaw`
    delete from watched_hooks w using hooks h
    where h.id = w.hook_id and (
      h.status <> 'active' or h.pending_since is not null or h.deleted_at is not null
      or coalesce(h.silence->>'enabled', 'true') <> 'true'
    )
    returning w.hook_id as "hookId", w.account_id as "accountId", w.silent_since as "silentSince"`;
}

/** Locks the hook that waits longest to be checked. Null: none is due, or others check them. */
export async function lockDueHook(tx: SqlStatements): Promise<WatchedHook | null> {
  const [due] = await tx.$queryRaw<WatchedHook[]>`
    select w.hook_id as "hookId", w.account_id as "accountId", h.name, h.silence, w.watched_since as "watchedSince",
      w.silent_since as "silentSince"
    from watched_hooks w join hooks h on h.id = w.hook_id
    where w.check_at <= now() order by w.check_at limit 1 for no key update of w skip locked`;
  return due ?? null;
}

/** Keeps the outcome of a check, and when the next one is due. */
export async function recordCheck(
  tx: SqlStatements,
  hookId: string,
  { checkAt, silentSince }: { readonly checkAt: Date; readonly silentSince: Date | null },
): Promise<void> {
  await tx.$executeRaw`
    update watched_hooks set check_at = ${checkAt}, silent_since = ${silentSince} where hook_id = ${hookId}::uuid`;
}

/** Checks a hook at the next turn, because its setting has changed. */
export async function checkSoon(tx: SqlStatements, hookId: string): Promise<void> {
  await tx.$executeRaw`update watched_hooks set check_at = now() where hook_id = ${hookId}::uuid`;
}
