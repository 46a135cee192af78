import { AppError } from "#lib/base/errors.ts";
import type { Configuration } from "#lib/schema/configuration.ts";
import { maxApiBodyBytes } from "#lib/schema/field/max-api-body.ts";
import {
  getConfiguration,
  writeConfiguration,
} from "#lib/services/configuration/get-configuration.ts";
import { releaseManaged } from "#lib/services/configuration/managed.ts";
import {
  applyConfiguration,
  planConfiguration,
} from "#lib/services/configuration/plan-configuration.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { chooseAccepted } from "#lib/web/export/row-format.ts";
import { type Call, openRoute, type Route, route } from "#lib/web/route/route.ts";
import { configurationView, planView } from "./configuration-view.ts";

const text = "format: catchment.configuration/1\nhooks:\n  - name: Refunds\n";
const files = [{ path: "catchment.yaml", text }];

export const configurationRoutes: readonly Route[] = [
  openRoute({
    method: "GET",
    path: "/configuration",
    operationId: "getConfiguration",
    summary: "Export the configuration",
    description:
      "Without secrets, and with names instead of ids. Equal configurations are equal texts. YAML with " +
      "`Accept: application/yaml`. With `kind` and `id`, one thing of it.",
    service: getConfiguration,
    opens: "application/json",
    alsoOpens: { type: "application/yaml", example: text },
    response: configurationView,
    open: respondWithConfiguration,
    errors: ["not_acceptable", "not_found"],
  }),
  route({
    method: "POST",
    path: "/configuration/plan",
    operationId: "planConfiguration",
    summary: "Compare files with the account",
    description:
      "Changes nothing. Shows what apply would do, field by field, and secrets only as changed.",
    service: planConfiguration,
    view: planView,
    maxBodyBytes: maxApiBodyBytes,
    example: { files },
  }),
  route({
    method: "POST",
    path: "/configuration/apply",
    operationId: "applyConfiguration",
    summary: "Apply the plan of files",
    description:
      "All of it or nothing. 409 if it isn't what the plan shows, because something was changed since.",
    service: applyConfiguration,
    view: planView,
    maxBodyBytes: maxApiBodyBytes,
    example: { files, planId: "AQxmYWtl" },
  }),
  route({
    method: "POST",
    path: "/configuration/release",
    operationId: "releaseConfiguration",
    summary: "Take something out of the hands of files",
    description:
      "Removes the mark. The thing stays, and `prune` doesn't delete it. Files that still have it adopt it again.",
    service: releaseManaged,
    view: null,
    example: { kind: "hook", id: "019abcde-0000-7000-8000-000000000000" },
  }),
];

const formats = [
  ["application/json", "json"],
  ["application/yaml", "yaml"],
  ["application/x-yaml", "yaml"],
  ["text/yaml", "yaml"],
  ["application/*", "json"],
  ["text/*", "yaml"],
  ["*/*", "json"],
] as const;

async function respondWithConfiguration(
  context: ServiceContext,
  configuration: Configuration,
  { accept }: Call,
): Promise<Response> {
  const format = chooseAccepted(accept, formats);
  if (format === undefined)
    throw new AppError(
      "not_acceptable",
      "A configuration is JSON or YAML: send Accept: application/yaml.",
    );
  const headers = { "content-type": `application/${format}`, "cache-control": "no-store" };
  if (format === "json") return new Response(JSON.stringify(configuration), { headers });
  return new Response(await writeConfiguration(context, configuration), { headers });
}
