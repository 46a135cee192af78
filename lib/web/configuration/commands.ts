"use server";

import { getConfigurationFile } from "#lib/services/configuration/get-configuration.ts";
import { releaseManaged } from "#lib/services/configuration/managed.ts";
import { ask, change } from "#lib/web/auth/run-service.ts";

/** The text of a file with one thing, or with everything. */
export const readConfigurationFileCommand = ask(getConfigurationFile, ["..."]);
export const releaseManagedCommand = change(releaseManaged, ["kind", "id"]);
