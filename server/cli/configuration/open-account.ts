import { pathToFileURL } from "node:url";
import { createDatabase } from "#lib/db/postgres/client.ts";
import type { importConfiguration } from "#lib/services/configuration/import-configuration.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { threadScripts } from "#server/system/paths.ts";
import { StartError } from "#server/system/start-error.ts";
import { commandActor, requireSealer } from "../frame/audit-command.ts";
import { type CommandInput, textValue } from "../frame/command.ts";
import { withDatabase } from "../frame/database-access.ts";

type AccountContext = Parameters<typeof importConfiguration>[0];

/** Calls `use` with the services of one account: the only one, or that of `--account`. */
export async function withAccount<T>(
  input: CommandInput,
  use: (context: AccountContext, slug: string) => Promise<T>,
): Promise<T> {
  const env = input.readEnv();
  return await withDatabase(env, async (access) => {
    const sealer = requireSealer(env, access);
    // Reports in one sentence what is wrong with the database address.
    await withConnection(access.url, async () => undefined);
    // Schemas and transforms are checked in a thread, as in the dashboard.
    Object.assign(globalThis, { catchmentThreadScript: pathToFileURL(threadScripts.web) });
    // `rotate-key` finds by its key what still seals.
    const applicationName = `catchment configuration ${sealer.keyId}`;
    const db = createDatabase({ url: access.url, poolSize: 2, applicationName });
    try {
      const { id: accountId, slug } = await findAccount(db, textValue(input, "account"));
      const actor = commandActor(accountId);
      return await use({ db, sealer, env, actor, now: () => new Date() }, slug);
    } finally {
      await db.$disconnect();
    }
  });
}

async function findAccount(db: AccountContext["db"], slug: string | undefined) {
  const accounts = await db.account.findMany({
    where: { deletedAt: null, ...(slug !== undefined && { slug }) },
    select: { id: true, slug: true },
    orderBy: { slug: "asc" },
    take: 20,
  });
  const [only, ...others] = accounts;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    throw new StartError(
      slug === undefined
        ? "There is no account yet: start Catchment and set it up first."
        : `There is no account with the slug ${slug}: it is the part of its catch URLs after /catch/.`,
    );
  const slugs = accounts.map((each) => each.slug).join(", ");
  throw new StartError(`There are several accounts: add --account with one of ${slugs}.`);
}
