import { globSync, readFileSync } from "node:fs";
import { newId } from "#lib/base/ids.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import { createPortalLink } from "#lib/services/recipients.ts";
import { sendTestEvent } from "#lib/services/subscriptions/try-subscription.ts";
import { createSubscription } from "#lib/services/subscriptions/write-subscriptions.ts";
import type { Place } from "./command-lines.ts";
import { storeDelivery } from "./test-api.ts";
import type { withApi } from "./with-api.ts";

export type Command = (...args: readonly unknown[]) => Promise<unknown>;
type Api = ReturnType<typeof withApi>;

/** Every command of the dashboard, by name. */
export async function loadCommands(): Promise<ReadonlyMap<string, Command>> {
  const commands: [name: string, command: Command][] = [];
  const files = globSync(["app/**/*.ts", "lib/web/*/commands.ts"])
    .filter((path) => path !== "lib/web/portal/commands.ts")
    .filter((path) => /^\s*["']use server["']/m.test(readFileSync(path, "utf8")));
  for (const path of files)
    if (!path.includes(".test."))
      for (const [name, command] of Object.entries(await import(`${process.cwd()}/${path}`)))
        commands.push([name, command as Command]);
  return new Map(commands);
}

/** One of everything, and a token of the portal. */
export async function addPlace(api: Api): Promise<Place> {
  const { db } = api.context;
  const accountId = api.account.id;
  const context = serviceContext({ type: "system", accountId });
  const { id: hook } = await api.createHook();
  const receiver = { receiverUrl: "http://127.0.0.1:65000/in", recipient: "cust_1" };
  const { subscription } = await createSubscription(context, receiver);
  const id = subscription.id;
  const { eventId, runId } = await sendTestEvent(context, { id, eventType: "a.b" });
  const { url } = await createPortalLink(context, { id: "cust_1" });
  return {
    hook,
    action: await api.createAction(hook),
    delivery: await storeDelivery(db, accountId, hook),
    run: runId,
    event: eventId,
    subscription: subscription.id,
    id: newId(),
    token: url.slice(url.lastIndexOf("/") + 1),
  };
}

/** A checksum of every table, or of an account's rows in each, that two moments are compared by. */
export async function snapshot(
  api: Api,
  accountId?: string,
): Promise<Readonly<Record<string, string | null>>> {
  const tables = await api.db.$queryRaw<{ name: string; isOfAccount: boolean }[]>`
    select c.oid::regclass::text as name, a.attname is not null as "isOfAccount" from pg_class c
    left join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by 1`;
  // One statement: a query for each table took most of the time of the tests that ask.
  const sums = tables
    .filter(({ isOfAccount }) => accountId === undefined || isOfAccount)
    .map(
      ({ name }) =>
        `select '${name}' as name, md5(string_agg(t::text, ' ' order by t::text)) as rows from ${name} t
         ${accountId === undefined ? "" : `where account_id = '${accountId}'`}`,
    );
  const [, rows] = await api.db.$transaction([
    // Starting parallel workers would take longer than reading.
    api.db.$executeRaw`set local max_parallel_workers_per_gather = 0`,
    api.db.$queryRawUnsafe<{ name: string; rows: string | null }[]>(sums.join(" union all ")),
  ]);
  return Object.fromEntries(rows.map(({ name, rows: sum }) => [name, sum]));
}
