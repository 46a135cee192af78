import { statfsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Finding,
  failure,
  formatFindings,
  ok,
  type Result,
  warning,
} from "#lib/base/command-line/finding.ts";
import { type Env, findUnknownVariables, parseEnv } from "#lib/core/env/parse-env.ts";
import { deriveRecordKeys, type RecordKeys } from "#lib/spool/records/record-keys.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { loadStartEnv } from "#server/start/read-start-env.ts";
import { projectRoot } from "#server/system/paths.ts";
import { StartError } from "#server/system/start-error.ts";
import { type CommandInput, type ExitCode, textValue } from "../frame/command.ts";
import { withDatabase } from "../frame/database-access.ts";
import { findPreviousKey, findSecretKey } from "../frame/secret-key-of.ts";
import { checkArchive } from "./check-archive.ts";
import { checkDatabaseState } from "./check-database-state.ts";
import { checkEgress, checkMail, checkPublicUrl } from "./check-network.ts";
import { checkSignIn } from "./check-sign-in.ts";
import { checkSpool } from "./check-spool.ts";
import { evaluateDisk, evaluateEnv, evaluateUnknownVariables } from "./evaluate-facts.ts";

/** Checks this installation from outside and inside, and says what to change. Changes nothing. */
export async function runDoctor(input: CommandInput): Promise<ExitCode> {
  const reach = textValue(input, "reach");
  if (reach !== undefined && !URL.canParse(reach))
    throw new StartError(`--reach must be a URL like https://api.example.com, not ${reach}.`);
  const findings = await findAll(reach);
  const { output, values } = input;
  output.result(
    values.json === true
      ? JSON.stringify({ findings }, null, 2)
      : formatFindings(`The server in ${resolve(projectRoot)}`, findings),
  );
  return findings.some(({ level }) => level === "error") ? 1 : 0;
}

async function findAll(reach: string | undefined): Promise<Finding[]> {
  loadStartEnv();
  const parsed = parseEnv(process.env);
  const unknown = evaluateUnknownVariables(findUnknownVariables(process.env));
  if (!parsed.ok) return name("Configuration", [...evaluateEnv(parsed.problems), ...unknown]);
  const { env } = parsed;
  return [
    ...name("Configuration", unknown.length > 0 ? unknown : [ok("Every setting is valid.")]),
    ...(await checkInside(env)),
    ...(await checkSpool(env, findRecordKeys(env))),
    ...(await checkEgress(env, reach)),
    ...(await checkMail(env)),
  ];
}

/** Null: there is no key yet, so nothing waits. */
function findRecordKeys(env: Env): RecordKeys | null {
  const access = { folder: env.databaseUrl === undefined ? resolve(env.dataDir) : undefined };
  const secretKey = findSecretKey(env, access);
  return secretKey === null
    ? null
    : deriveRecordKeys(secretKey, findPreviousKey(env, access) ?? undefined);
}

function name(check: string, results: readonly Result[]): Finding[] {
  return results.map((result) => ({ check, ...result }));
}

async function checkInside(env: Env): Promise<Finding[]> {
  try {
    return await withDatabase(env, async (access) => {
      const secretKey = findSecretKey(env, access);
      const keys = { secretKey, previousKey: findPreviousKey(env, access) };
      const { folder, url } = access;
      return [
        ...(folder === undefined ? [] : checkFolder(folder, env.minFreeDiskBytes)),
        ...(await withConnection(url, async (client) => [
          ...(await checkDatabaseState(url, client, keys)),
          ...(await checkArchive(env, client)),
          ...(await checkSignIn(env.oidc, client)),
        ])),
        ...(await checkPublicUrl(env, secretKey)),
      ];
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    // Everything else depends on the database.
    return name("Database", [failure(error.message, "Correct this first, then run doctor again.")]);
  }
}

function checkFolder(folder: string, minFreeBytes: number): Finding[] {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const space = { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  return [
    ...name("Data folder", [checkPermissions(folder)]),
    ...name("Disk", [evaluateDisk(space, minFreeBytes)]),
  ];
}

function checkPermissions(folder: string): Result {
  const open = [folder, join(folder, "secret-key")].filter(
    (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
  if (open.length === 0) return ok(`Only its owner can read ${folder}.`);
  return warning(
    `Other users of this machine can access ${open.join(" and ")}.`,
    `chmod -R go= ${folder}`,
  );
}
