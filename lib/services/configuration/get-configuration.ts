import { AppError } from "#lib/base/errors.ts";
import type { Configuration } from "#lib/schema/configuration.ts";
import { configurationSchemaPath, exportInputSchema } from "#lib/schema/configuration-plan.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { busyServer, webThreads } from "#lib/services/threads/web-threads.ts";
import { isBusy } from "#lib/threads/thread-outcome.ts";
import { exportConfiguration } from "./export-configuration.ts";

/** The configuration without secrets, as of one moment, or one thing of it. */
export const getConfiguration = service({
  permission: "configuration:read",
  input: exportInputSchema,
  run: async (context, { kind, id }): Promise<Configuration> => {
    const one = kind === undefined || id === undefined ? null : { kind, id };
    return (await exportConfiguration(context, null, one)).configuration;
  },
});

/** The same as the text of a file. */
export const getConfigurationFile = service({
  permission: "configuration:read",
  input: exportInputSchema,
  run: async (context, input): Promise<string> =>
    await writeConfiguration(context, await getConfiguration(context, input)),
});

/** The configuration as YAML, with the address of its schema for editors. */
export async function writeConfiguration(
  { actor, env }: ServiceContext,
  configuration: Configuration,
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
  return `# yaml-language-server: $schema=${env.publicUrl}${configurationSchemaPath}\n${outcome.value}`;
}
