import { parseInput } from "#lib/core/api/parse-input.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import { muteNotifications, notifyRunsDue } from "#lib/db/queue/notify.ts";
import {
  type Configuration,
  type ConfigurationSecrets,
  configurationSchema,
} from "#lib/schema/configuration.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { putMaskedFields } from "#lib/services/masked-fields.ts";
import { importChannels, importRules } from "./import-alerts.ts";
import { importHooks } from "./import-hooks.ts";
import { importCredentials, importDestinations } from "./import-receivers.ts";
import { type ImportError, type ImportReport, ImportRun, reportKept } from "./import-run.ts";
import {
  importEventTypes,
  importRecipients,
  importSending,
  importSubscriptions,
} from "./import-sending.ts";
import { joinTransaction } from "./join-transaction.ts";
import { readItems } from "./read-items.ts";
import { readConfigurationSecrets } from "./read-secrets.ts";

type ImportOptions = {
  /** The secrets of the file. Null: it has none. */
  readonly secrets: ConfigurationSecrets | null;
  /** New hooks get the last segments of their former catch URLs. */
  readonly keepsCatchUrls: boolean;
  /** False: everything is done, reported, and undone. */
  readonly isApplied: boolean;
};

type ImportResult =
  | { readonly ok: true; readonly report: ImportReport }
  | { readonly ok: false; readonly errors: readonly ImportError[] };

/** Parses a file. Throws `invalid_request` with the path of every error. */
export function readConfiguration(value: unknown): Configuration {
  return parseInput(configurationSchema, value);
}

/**
 * Imports a configuration with the services that people and programs use, in one transaction: all of
 * it takes effect or nothing. What is there already by its name is changed, and nothing is deleted.
 */
export async function importConfiguration(
  context: ServiceContext,
  file: Configuration,
  options: ImportOptions,
): Promise<ImportResult> {
  authorize(context.actor, "configuration:write");
  const result = await runImport(context, options.isApplied, async (joined) => {
    const run = await importAll(joined, file, options);
    return { errors: run.errors, value: run.report };
  });
  return result.ok ? { ok: true, report: result.value } : result;
}

type ImportWork<Value> = (
  joined: ServiceContext,
) => Promise<{ readonly errors: readonly ImportError[]; readonly value: Value }>;

export type Imported<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly errors: readonly ImportError[] };

/** Runs `work` in one transaction, which is undone if there are errors, or nothing is to be applied. */
export async function runImport<Value>(
  context: ServiceContext,
  isApplied: boolean,
  work: ImportWork<Value>,
): Promise<Imported<Value>> {
  for (let triesLeft = maxTries; ; triesLeft -= 1) {
    try {
      const value = await tryImport(context, isApplied, work);
      notifyRunsDue(context.db);
      return { ok: true, value };
    } catch (error) {
      if (error instanceof UndoneImport) return error.result as Imported<Value>;
      if (sqlStateOf(error) !== deadlockDetected || triesLeft === 1) throw error;
    }
  }
}

/**
 * An import locks the audit log with its first change, and other rows later. A change of one of those that
 * waits for the log meanwhile is a deadlock, which PostgreSQL ends: the import is undone, and begins again.
 */
const maxTries = 5;
const deadlockDetected = "40P01";

async function tryImport<Value>(
  context: ServiceContext,
  isApplied: boolean,
  work: ImportWork<Value>,
): Promise<Value> {
  return await context.db.$transaction(
    async (tx) => {
      // Imports of an account take turns. Otherwise two of them at once would both add what neither has found.
      await lockAccount(tx, context.actor.accountId);
      const joined = joinTransaction(tx);
      const endMute = muteNotifications(joined);
      try {
        const { errors, value } = await work({ ...context, db: joined });
        if (errors.length > 0) throw new UndoneImport({ ok: false, errors });
        if (!isApplied) throw new UndoneImport({ ok: true, value });
        const targets = [{ type: "account", id: context.actor.accountId }];
        await audit(context, { event: "configuration.imported", targets }, tx);
        return value;
      } finally {
        endMute();
      }
    },
    { timeout: 600_000, maxWait: 30_000 },
  );
}

/** Rolls the transaction back. */
class UndoneImport extends Error {
  readonly result: Imported<unknown>;

  constructor(result: Imported<unknown>) {
    super("The import was undone");
    this.result = result;
  }
}

async function importAll(
  context: ServiceContext,
  file: Configuration,
  { secrets, keepsCatchUrls }: ImportOptions,
): Promise<ImportRun> {
  const before = await readItems(context.db, context.actor.accountId);
  const stored = await readConfigurationSecrets(context, before);
  return await importItems(context, file, { secrets, stored, before, keepsCatchUrls });
}

/** Imports everything. What is wrong is among the run's errors. */
export async function importItems(
  context: ServiceContext,
  file: Configuration,
  parts: ConstructorParameters<typeof ImportRun>[2],
): Promise<ImportRun> {
  const run = new ImportRun(context, file, parts);
  await importCredentials(run);
  await importDestinations(run);
  await importEventTypes(run);
  await importHooks(run);
  await importRecipients(run);
  await importSubscriptions(run);
  await importSending(run);
  await importMaskedFields(run);
  await importChannels(run);
  await importRules(run);
  return run;
}

/** Adds masked fields. None is removed, so that an import shows viewers nothing that they didn't see. */
async function importMaskedFields(run: ImportRun): Promise<void> {
  const { context, file, before } = run;
  const { maskedFields } = file;
  if (maskedFields === undefined) return;
  const toItem = (ref: string) => ({ ref });
  await run.item("maskedFields", async () => {
    const fields = [...new Set([...before.maskedFields, ...maskedFields])];
    const added = fields.slice(before.maskedFields.length);
    if (added.length > 0) await putMaskedFields(context, { fields });
    for (const field of added) run.added(`masked field "${field}"`);
    if (added.length < maskedFields.length) run.changed("masked fields", []);
  });
  reportKept(run, "masked field", before.maskedFields.map(toItem), maskedFields.map(toItem));
}
