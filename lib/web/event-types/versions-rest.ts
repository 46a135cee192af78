import { z } from "zod";
import {
  type ComparedVersion,
  checkEventTypeVersion,
  createEventTypeVersion,
  listEventTypeVersions,
  updateEventTypeVersion,
  type VersionCheck,
} from "#lib/services/event-type-versions.ts";
import { exactJson } from "#lib/web/route/api-json.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { view } from "#lib/web/route/view.ts";

const breaking = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .describe("What the schema allows that the one before doesn't, up to 50 entries");

const versionSchema = z
  .object({
    version: z.string().describe("A date, or `first`"),
    isNewest: z.boolean(),
    schema: z.unknown().describe("JSON Schema of `data`; null: anything"),
    example: z.unknown().describe("An example of `data`, or null"),
    transform: z.string().nullable().describe("Makes an event into `data` of the version before"),
    note: z.string().nullable().describe("What has changed"),
    breaking,
    subscribers: z.int().describe("The subscriptions that get it, among the newest 10,000"),
    createdAt: z.date(),
    endsAt: z.date().nullable().describe("From then on, its subscribers get the next version"),
  })
  .meta({ id: "EventTypeVersion" });

const versionView = view(versionSchema, ({ schema, example, ...version }: ComparedVersion) => ({
  ...version,
  schema: exactJson(schema),
  example: exactJson(example),
  breaking: [...version.breaking],
}));

const versionsView = view(
  z.object({ data: z.array(versionSchema) }).meta({ id: "EventTypeVersions" }),
  (versions: readonly ComparedVersion[], context) => ({
    data: versions.map((version) => versionView.show(version, context)),
  }),
);

const checkView = view(
  z
    .object({
      breaking,
      stored: z
        .object({
          checked: z.int(),
          mismatched: z.int(),
          reason: z.string().nullable().describe("The difference of the newest one that doesn't"),
        })
        .describe("The newest stored events, and those that don't match the new schema"),
      problem: z.string().nullable().describe("Why it can't be published"),
    })
    .meta({ id: "EventTypeVersionCheck" }),
  ({ breaking: changes, ...check }: VersionCheck) => ({ ...check, breaking: [...changes] }),
);

const example = {
  version: "2026-12-01",
  schema: { type: "object", properties: { total: { type: "integer" } }, required: ["total"] },
  example: { total: 4200 },
  transform: "export default ({ payload }) => ({ total: String(payload.data.total) })",
  note: "`total` is a number of cents.",
};

export const eventTypeVersionRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/event-types/{name}/versions",
    operationId: "listEventTypeVersions",
    summary: "List the versions of an event type",
    description: "The newest first.",
    service: listEventTypeVersions,
    view: versionsView,
  }),
  route({
    method: "POST",
    path: "/event-types/{name}/versions",
    operationId: "createEventTypeVersion",
    summary: "Publish a version of an event type",
    description:
      "It is the newest from then on: events that name no version are in it. If it breaks receivers of the " +
      "version before, `transform` is required, and tried on `example`.",
    service: createEventTypeVersion,
    view: versionView,
    status: 201,
    exactNumbers: true,
    example,
  }),
  route({
    method: "POST",
    path: "/event-types/{name}/versions/check",
    operationId: "checkEventTypeVersion",
    summary: "Check a version without publishing it",
    description:
      "Compares its schema with the one before, tries it on stored events, and runs the transform.",
    service: checkEventTypeVersion,
    view: checkView,
    exactNumbers: true,
    example,
  }),
  route({
    method: "PATCH",
    path: "/event-types/{name}/versions/{version}",
    operationId: "updateEventTypeVersion",
    summary: "End a version, or change its note or transform",
    description: "Its schema and example stay, because subscribers rely on them.",
    service: updateEventTypeVersion,
    view: versionView,
    example: { endsAt: "2027-06-01T00:00:00Z" },
  }),
];
