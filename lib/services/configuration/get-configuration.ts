import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import type { Configuration } from "#lib/schema/configuration.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { busyServer, webThreads } from "#lib/services/threads/web-threads.ts";
import { isBusy } from "#lib/threads/thread-outcome.ts";
import { exportConfiguration } from "./export-configuration.ts";

/** The configuration without secrets, as of one moment. */
export const getConfiguration = service({
  permission: "configuration:read",
  input: z.strictObject({}),
  run: async (context): Promise<Configuration> =>
    (await exportConfiguration(context, null)).configuration,
});

/** The configuration as YAML, with the address of its schema for editors. */
export async function writeConfiguration(
  { actor }: ServiceContext,
  configuration: Configuration,
  schemaUrl: string,
): Promise<string> {
  const options = { accountId: actor.accountId, limitsMs: { run: 60_000 }, maxWaitMs: 10_000 };
  const json = JSON.stringify(configuration);
  const outcome = await webThreads().run("writeConfigurationYaml", json, options);
  if (isBusy(outcome)) throw busyServer();
  if (outcome.kind !== "done")
    throw new AppError(
      "unavailable",
      "The configuration takes too long to write as YAML: ask for JSON.",
    );
  return `# yaml-language-server: $schema=${schemaUrl}\n${outcome.value}`;
}
