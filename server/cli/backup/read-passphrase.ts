import { readFileSync } from "node:fs";
import { errorCode } from "#lib/base/errors.ts";
import { minPassphraseLength } from "#lib/core/people/seal/passphrase.ts";
import { StartError } from "#server/system/start-error.ts";

/** The first line of a file: arguments and variables are visible to other programs. */
export function readPassphrase(path: string): string {
  const [passphrase = ""] = readText(path).split(/\r?\n/);
  if (passphrase.length >= minPassphraseLength) return passphrase;
  throw new StartError(
    `The passphrase in ${path} is too short: its first line must have at least ${minPassphraseLength} characters.`,
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new StartError(
      `${path} can't be read (${errorCode(error)}): correct its name or rights.`,
    );
  }
}
