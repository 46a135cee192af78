import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import { errorCode } from "#lib/base/errors.ts";
import { exportConfiguration } from "#lib/services/configuration/export-configuration.ts";
import { StartError } from "#server/system/start-error.ts";
import { readPassphrase } from "../backup/read-passphrase.ts";
import { type CommandInput, type ExitCode, textValue } from "../frame/command.ts";
import { withAccount } from "./open-account.ts";

/** Writes an account's configuration to a new file. */
export async function runExport(input: CommandInput): Promise<ExitCode> {
  const [path = ""] = input.operands;
  const passphraseFile = textValue(input, "secrets-passphrase-file");
  const passphrase = passphraseFile === undefined ? null : readPassphrase(passphraseFile);
  return await withAccount<ExitCode>(input, async (context, slug) => {
    const { configuration, portalCount } = await exportConfiguration(context, passphrase);
    writeNewFile(path, `${JSON.stringify(configuration, null, 2)}\n`);
    const secrets =
      passphrase === null
        ? "Secrets aren't in it."
        : "Secrets are in it, encrypted with the passphrase.";
    input.output.result(`Wrote the configuration of ${slug} to ${path}. ${secrets}`);
    if (portalCount > 0)
      input.output.note(
        portalCount === 1
          ? "1 subscription from the portal isn't in it."
          : `${portalCount} subscriptions from the portal aren't in it.`,
      );
    return 0;
  });
}

function writeNewFile(path: string, text: string): void {
  try {
    const file = openSync(path, "wx", 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errorCode(error) === "EEXIST")
      throw new StartError(`${path} exists already: choose another name.`);
    throw new StartError(
      `${path} can't be written (${errorCode(error)}): choose a folder that the user who runs Catchment can write to.`,
    );
  }
}
