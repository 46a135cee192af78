import { readFileSync, statSync } from "node:fs";
import { AppError, errorCode } from "#lib/base/errors.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { decryptWithPassphrase, passphraseBoxSchema } from "#lib/core/people/seal/passphrase.ts";
import {
  type Configuration,
  type ConfigurationSecrets,
  configurationSecretsSchema,
  maxConfigurationBytes,
} from "#lib/schema/configuration.ts";
import {
  importConfiguration,
  readConfiguration,
} from "#lib/services/configuration/import-configuration.ts";
import type { ImportError, ImportReport } from "#lib/services/configuration/import-run.ts";
import { StartError } from "#server/system/start-error.ts";
import { readPassphrase } from "../backup/read-passphrase.ts";
import { type CommandInput, type ExitCode, textValue } from "../frame/command.ts";
import { withAccount } from "./open-account.ts";

/** Shows what an import of a file would do, or imports it. */
export async function runImport(input: CommandInput): Promise<ExitCode> {
  const [path = ""] = input.operands;
  const isApplied = input.values.apply === true;
  const keepsCatchUrls = input.values["keep-catch-urls"] === true;
  const file = readFile(path);
  const secrets = await openFileSecrets(path, file, textValue(input, "secrets-passphrase-file"));
  if (keepsCatchUrls && secrets === null)
    throw new StartError(
      "--keep-catch-urls needs a file with secrets, because catch URLs are among them: export it " +
        "with --secrets-passphrase-file.",
    );
  const options = { secrets, keepsCatchUrls, isApplied };
  return await withAccount<ExitCode>(input, async (context, slug) => {
    const result = await importConfiguration(context, file, options);
    if (!result.ok) throw wrongFile(path, result.errors);
    const { report } = result;
    input.output.result(
      input.values.json === true
        ? JSON.stringify({ account: slug, isApplied, ...report }, null, 2)
        : summarize(slug, report, isApplied),
    );
    return 0;
  });
}

function readFile(path: string): Configuration {
  const parsed = parseExactJson(readText(path));
  if (!parsed.ok) throw new StartError(`${path} can't be imported: ${parsed.message}.`);
  try {
    return readConfiguration(parsed.value);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw wrongFile(path, error.errors ?? [{ path: "", message: error.message }]);
  }
}

function readText(path: string): string {
  try {
    const { size } = statSync(path);
    if (size <= maxConfigurationBytes) return readFileSync(path, "utf8");
  } catch (error) {
    throw new StartError(
      `${path} can't be read (${errorCode(error)}): correct its name or rights.`,
    );
  }
  throw new StartError(`${path} is too large: a configuration has at most 32 MiB.`);
}

async function openFileSecrets(
  path: string,
  { secrets }: Configuration,
  passphraseFile: string | undefined,
): Promise<ConfigurationSecrets | null> {
  if (secrets === undefined) {
    if (passphraseFile === undefined) return null;
    throw new StartError(`${path} has no secrets: leave out --secrets-passphrase-file.`);
  }
  if (passphraseFile === undefined)
    throw new StartError(
      `${path} has encrypted secrets: add --secrets-passphrase-file, or remove the field secrets to ` +
        "import without them.",
    );
  const box = passphraseBoxSchema.safeParse(secrets);
  const text = box.success
    ? await decryptWithPassphrase(box.data, readPassphrase(passphraseFile))
    : null;
  const opened =
    text === null ? undefined : configurationSecretsSchema.safeParse(JSON.parse(text)).data;
  if (opened !== undefined) return opened;
  throw new StartError(
    `The secrets in ${path} can't be opened: it is another passphrase, or the field secrets was changed.`,
  );
}

const maxShown = 50;

function wrongFile(path: string, errors: readonly ImportError[]): StartError {
  const lines = errors
    .slice(0, maxShown)
    .map((each) => `  ${each.path === "" ? "" : `${each.path}: `}${each.message}`);
  const more = errors.length > maxShown ? [`  and ${errors.length - maxShown} more`] : [];
  return new StartError(
    [`Nothing was imported. Change this in ${path}:`, ...lines, ...more].join("\n"),
  );
}

function summarize(slug: string, report: ImportReport, isApplied: boolean): string {
  const { added, changed, unchangedCount, kept, toDo } = report;
  const lines = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${item}`)];
  const [adds, changes] = isApplied ? ["Added", "Changed"] : ["Would add", "Would change"];
  return [
    ...lines(`${adds} to ${slug}`, added),
    ...lines(changes, changed),
    ...lines("Only in the account, and stays", kept),
    `${unchangedCount} unchanged.`,
    ...lines(isApplied ? "Left to do" : "Left to do then", toDo),
    isApplied ? "Imported." : "Nothing was changed. To import it, add --apply.",
  ].join("\n");
}
