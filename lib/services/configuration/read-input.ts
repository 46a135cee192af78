import { findReference } from "#lib/base/env-references.ts";
import { type AppError, invalidField } from "#lib/base/errors.ts";
import { InvalidInput, invalidInput } from "#lib/core/api/parse-input.ts";
import type { Places } from "#lib/core/configuration/read-files.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import type { Configuration } from "#lib/schema/configuration.ts";
import type { ConfigurationFile } from "#lib/schema/configuration-plan.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { busyServer, webThreads } from "#lib/services/threads/web-threads.ts";
import { isBusy } from "#lib/threads/thread-outcome.ts";
import { readConfiguration } from "./import-configuration.ts";
import type { ImportError } from "./import-run.ts";

export type ReadFile = {
  readonly file: Configuration;
  /** The whole as text, with every digit. */
  readonly json: string;
  readonly places: Places;
};

/** Reads files. Throws `invalid_request` with the file and the line of every error. */
export async function readInput(
  { actor }: ServiceContext,
  files: readonly ConfigurationFile[],
): Promise<ReadFile> {
  const options = { accountId: actor.accountId, limitsMs: { run: 20_000 }, maxWaitMs: 10_000 };
  const outcome = await webThreads().run("readConfigurationFiles", files, options);
  if (isBusy(outcome)) throw busyServer();
  if (outcome.kind !== "done") throw invalidField("files", "take too long to read: send fewer");
  const read = outcome.value;
  if (!read.ok)
    throw invalidInput(
      read.problems.map(({ at, message }) => ({
        path: at,
        code: "invalid_value" as const,
        message,
      })),
    );
  const { json, places } = read;
  const parsed = parseExactJson(json, 256);
  if (!parsed.ok) throw invalidField("files", parsed.message);
  const unresolved = findReference(parsed.value);
  if (unresolved !== null)
    throw locateErrors(
      [
        {
          path: unresolved,
          message:
            "names a variable of the environment, which the server doesn't know: send its value",
        },
      ],
      places,
    );
  try {
    const file = readConfiguration(parsed.value);
    if (file.secrets === undefined) return { file, json, places };
    const message = "belongs to the operator's import: remove it";
    throw locateErrors([{ path: "secrets", message }], places);
  } catch (error) {
    if (!(error instanceof InvalidInput) || error.errors === undefined) throw error;
    throw locateErrors(error.errors, places);
  }
}

/** The errors with the file and the line, such as `hooks.yaml:12 hooks.0.name`. */
export function locateErrors(errors: readonly ImportError[], places: Places): AppError {
  return invalidInput(
    errors.map(({ path, message }) => ({
      path: locate(path, places),
      code: "invalid_value" as const,
      message,
    })),
  );
}

function locate(path: string, places: Places): string {
  const names = path.split(".");
  for (let length = names.length; length > 0; length -= 1) {
    const place = places[names.slice(0, length).join(".")];
    if (place !== undefined) return `${place} ${path}`;
  }
  return path;
}
