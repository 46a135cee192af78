import { describeSize } from "#lib/base/describe-size.ts";
import { toError } from "#lib/base/errors.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { type WrittenBackup, writeBackup } from "#server/backup/write-backup.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { StartError } from "#server/system/start-error.ts";
import { auditCommand } from "../frame/audit-command.ts";
import { type CommandInput, type ExitCode, textValue } from "../frame/command.ts";
import { withDatabase } from "../frame/database-access.ts";
import { findPreviousKey, findSecretKey } from "../frame/secret-key-of.ts";
import { describeAmount } from "./describe-amount.ts";
import { readPassphrase } from "./read-passphrase.ts";

/** Writes a backup to a new file, whether or not Catchment is running. */
export async function runBackup(input: CommandInput): Promise<ExitCode> {
  const [path = ""] = input.operands;
  const passphraseFile = textValue(input, "key-passphrase-file");
  const passphrase = passphraseFile === undefined ? null : readPassphrase(passphraseFile);
  const env = input.readEnv();
  const written = await withDatabase(env, async (access) => {
    const secretKey = findSecretKey(env, access);
    if (passphrase !== null && secretKey === null)
      throw new StartError("The secret key is missing: put it back, or make a backup without it.");
    const previousKey = findPreviousKey(env, access) ?? undefined;
    const key = passphrase === null || secretKey === null ? null : { secretKey, passphrase };
    const made = await withConnection(access.url, (client) =>
      writeBackup({ client, path, now: new Date(), key }),
    );
    if (secretKey !== null) await record(access.url, openSealer(secretKey, previousKey), input);
    return made;
  });
  const isJson = input.values.json === true;
  input.output.result(
    isJson ? toJson(path, written) : summarize(path, written, passphrase !== null),
  );
  return 0;
}

/** A backup of a database that can't be written, such as a standby, is a backup too. */
async function record(url: string, sealer: Sealer, { output }: CommandInput): Promise<void> {
  try {
    await auditCommand(url, sealer, "installation.backed_up");
  } catch (error) {
    output.note(`The backup isn't in the audit log: ${toError(error).message}`);
  }
}

function toJson(path: string, { header, manifest, fileBytes }: WrittenBackup): string {
  return JSON.stringify({ path, createdAt: header.createdAt, fileBytes, ...manifest }, null, 2);
}

function summarize(path: string, { manifest, fileBytes }: WrittenBackup, hasKey: boolean): string {
  const key = hasKey
    ? "The secret key is in it, encrypted with the passphrase."
    : "The secret key isn't in it: keep that as well.";
  return `Wrote ${path}: ${describeAmount(manifest)}, ${describeSize(fileBytes)}. ${key}`;
}
