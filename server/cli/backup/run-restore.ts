import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "#lib/core/env/parse-env.ts";
import { deriveSealKey } from "#lib/core/people/seal/derive-key.ts";
import { openSealer } from "#lib/open-sealer.ts";
import type { BackupManifest } from "#server/backup/format.ts";
import { type BackupFile, withBackup } from "#server/backup/read-backup.ts";
import { type Restored, restoreBackup } from "#server/backup/restore-backup.ts";
import { hasCluster, startEmbeddedPostgres } from "#server/postgres/embedded-postgres.ts";
import { dropRootPrivileges } from "#server/start/drop-root-privileges.ts";
import { prepareDataFolder } from "#server/system/data-folder.ts";
import { lockDataFolder } from "#server/system/data-folder-lock.ts";
import { writeSecretFile } from "#server/system/secret-file.ts";
import { resolveSecretKey } from "#server/system/secret-key.ts";
import { StartError } from "#server/system/start-error.ts";
import { auditCommand } from "../frame/audit-command.ts";
import { type CommandInput, type ExitCode, textValue } from "../frame/command.ts";
import { describeAmount } from "./describe-amount.ts";
import { readPassphrase } from "./read-passphrase.ts";

/** Restores a backup into an empty database, or only checks it. */
export async function runRestore(input: CommandInput): Promise<ExitCode> {
  const [path = ""] = input.operands;
  const passphraseFile = textValue(input, "key-passphrase-file");
  const passphrase = passphraseFile === undefined ? null : readPassphrase(passphraseFile);
  return await withBackup(path, async (backup) => {
    const keyInBackup = passphrase === null ? null : await backup.readKey(passphrase);
    if (passphrase !== null && keyInBackup === null)
      throw new StartError(`${path} has no secret key: leave out --key-passphrase-file.`);
    if (input.values.check === true) return await check(input, path, backup);
    const options = { backup, continueRuns: input.values["continue-runs"] === true };
    const env = input.readEnv();
    const restored =
      env.databaseUrl === undefined
        ? await restoreFolder(env, keyInBackup, options)
        : await restoreOutside(env, env.databaseUrl, options);
    input.output.result(
      input.values.json === true ? JSON.stringify(restored, null, 2) : summarize(path, restored),
    );
    return 0;
  });
}

async function check(input: CommandInput, path: string, backup: BackupFile): Promise<ExitCode> {
  const manifest: BackupManifest = await backup.readTables((_table, parts) => countRows(parts));
  const { createdAt } = backup.header;
  input.output.result(
    input.values.json === true
      ? JSON.stringify({ createdAt, ...manifest }, null, 2)
      : `${path} is whole: ${describeAmount(manifest)}, as of ${createdAt}.`,
  );
  return 0;
}

/** In COPY text, each row is one line. */
async function countRows(parts: AsyncIterable<Buffer>): Promise<number> {
  let rows = 0;
  for await (const part of parts)
    for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) rows += 1;
  return rows;
}

type Options = { readonly backup: BackupFile; readonly continueRuns: boolean };

async function restoreOutside(env: Env, url: string, options: Options): Promise<Restored> {
  await dropRootPrivileges(undefined);
  // parseEnv requires it together with DATABASE_URL.
  const secretKey = env.secretKey ?? "";
  requireKeyOf(options.backup, secretKey);
  return await restoreAndRecord(url, secretKey, options);
}

async function restoreAndRecord(
  url: string,
  secretKey: string,
  options: Options,
): Promise<Restored> {
  const restored = await restoreBackup({ ...options, url });
  await auditCommand(url, openSealer(secretKey), "installation.restored");
  return restored;
}

async function restoreFolder(
  env: Env,
  keyInBackup: string | null,
  options: Options,
): Promise<Restored> {
  await dropRootPrivileges(env.dataDir);
  const folder = prepareDataFolder(env.dataDir);
  const lock = lockDataFolder(folder);
  try {
    const key = keepKey(folder, env.secretKey, keyInBackup, options.backup);
    const postgres = await startEmbeddedPostgres({ folder });
    try {
      return await restoreAndRecord(postgres.url, key, options);
    } finally {
      await postgres.stop();
    }
  } finally {
    lock.release();
  }
}

/** The installation gets its key before it gets data that can't be read without it. */
function keepKey(
  folder: string,
  fromEnv: string | undefined,
  keyInBackup: string | null,
  backup: BackupFile,
): string {
  const path = join(folder, "secret-key");
  const hasFile = existsSync(path);
  const key =
    fromEnv ?? (hasFile ? resolveSecretKey(folder, undefined, hasCluster(folder)) : keyInBackup);
  if (key === null)
    throw new StartError(
      `The secrets in the backup can't be read without the secret key: put it into ${path}, set ` +
        "CATCHMENT_SECRET_KEY, or add --key-passphrase-file if the backup contains it.",
    );
  requireKeyOf(backup, key);
  if (fromEnv === undefined && !hasFile) writeSecretFile(path, `${key}\n`);
  return key;
}

function requireKeyOf({ header }: BackupFile, secretKey: string): void {
  if (header.sealKeyId === null || header.sealKeyId === deriveSealKey(secretKey).id) return;
  throw new StartError(
    "The secrets in the backup were sealed with another key: set CATCHMENT_SECRET_KEY to that one, " +
      "or restore into a new data folder.",
  );
}

function summarize(path: string, { manifest, heldRuns, appliedLater }: Restored): string {
  const lines = [`Restored ${path}: ${describeAmount(manifest)}.`];
  if (appliedLater.length > 0) lines.push(`Applied ${appliedLater.length} newer migrations.`);
  if (heldRuns > 0)
    lines.push(
      `${heldRuns.toLocaleString("en-US")} open runs were canceled, because they may have run since ` +
        "the backup. To run them, filter Runs by the state Canceled, and retry them.",
    );
  return [...lines, "Start Catchment with npm start."].join("\n");
}
