import { writeYaml } from "#lib/core/configuration/exact-yaml.ts";
import { readFiles } from "#lib/core/configuration/read-files.ts";
import type { DeliveryView } from "#lib/core/mapping/build-request/delivery-context.ts";
import type { HookView } from "#lib/core/mapping/build-request/hook-view.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { buildMappingTree } from "#lib/core/mapping/payload-tree/mapping-tree.ts";
import { findSchemaProblem } from "#lib/core/sending/event-schema.ts";
import { readOpenApi } from "#lib/core/sending/read-openapi.ts";
import { checkData } from "#lib/event-schemas/check-data.ts";
import { diagnoseSent } from "#lib/threads/diagnose-task.ts";
import { prepareCallTask } from "#lib/threads/prepare-call-task.ts";
import { proposeMappingTask } from "#lib/threads/propose-mapping-task.ts";
import { transformTasks } from "#lib/threads/transform/transform-task.ts";

/** The tasks that the web process runs in threads. */
export const webTasks = {
  prepareCall: prepareCallTask,
  ...transformTasks,
  diagnose: diagnoseSent,
  proposeMapping: proposeMappingTask,
  checkData,
  findSchemaProblem,
  readOpenApi,
  readConfigurationFiles: readFiles,
  writeConfigurationYaml,
  buildMappingTree: ({ delivery, hook }: MappingTreeInput) => buildMappingTree(delivery, hook),
};

function writeConfigurationYaml(json: string): string {
  const parsed = parseExactJson(json, 256);
  if (!parsed.ok) throw new Error(parsed.message);
  return writeYaml(parsed.value);
}

export type WebTasks = typeof webTasks;

export type MappingTreeInput = {
  readonly delivery: DeliveryView;
  readonly hook: HookView;
};
