import { z } from "zod";
import { mismatchRules } from "#lib/schema/send/event-type.ts";
import {
  deleteEventType,
  type EventTypeImport,
  type EventTypeRecord,
  getEventType,
  importEventTypes,
  listEventTypes,
  putEventType,
} from "#lib/services/event-types.ts";
import { exactJson } from "#lib/web/route/api-json.ts";
import { exportRoute } from "#lib/web/route/export-route.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView, view } from "#lib/web/route/view.ts";
import { eventTypeVersionRoutes } from "./versions-rest.ts";

const eventTypeView = view(
  z
    .object({
      name: z.string(),
      description: z.string().nullable(),
      schema: z.unknown().describe("JSON Schema of `data`; null: anything"),
      example: z.unknown().describe("An example of `data`, or null"),
      deprecated: z.boolean(),
      onMismatch: z.enum(mismatchRules),
      version: z.string().describe("The newest version, which `schema` and `example` are of"),
      createdAt: z.date(),
      updatedAt: z.date(),
    })
    .meta({ id: "EventType" }),
  ({ name, description, schema, example, ...entry }: EventTypeRecord) => {
    const json = { schema: exactJson(schema), example: exactJson(example) };
    return { name, description, ...json, ...entry };
  },
);

const importView = view(
  z
    .object({
      imported: z.array(z.string()).describe("The names of the entries"),
      skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
    })
    .meta({ id: "EventTypeImport" }),
  ({ imported, skipped }: EventTypeImport) => ({ imported: [...imported], skipped: [...skipped] }),
);

export const eventTypeRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/event-types",
    operationId: "listEventTypes",
    summary: "List the event types of the catalog",
    description: "By name. `q` finds text in name and description.",
    service: listEventTypes,
    view: pageView(eventTypeView),
  }),
  exportRoute({
    list: "/event-types",
    operationId: "exportEventTypes",
    summary: "Export the event types of the catalog",
    methodHint: 'No event type of the catalog can be named "export".',
    service: listEventTypes,
    view: eventTypeView,
  }),
  route({
    method: "GET",
    path: "/event-types/{name}",
    operationId: "getEventType",
    summary: "Get an event type",
    service: getEventType,
    view: eventTypeView,
  }),
  route({
    method: "PUT",
    path: "/event-types/{name}",
    operationId: "putEventType",
    summary: "Create or replace an event type",
    description: "Omitted fields get their default.",
    service: putEventType,
    view: eventTypeView,
    exactNumbers: true,
    example: { description: "An invoice was paid.", example: { invoiceId: "in_1" } },
  }),
  route({
    method: "DELETE",
    path: "/event-types/{name}",
    operationId: "deleteEventType",
    summary: "Delete an event type",
    description: "Events of this type can still be published.",
    service: deleteEventType,
    view: null,
  }),
  route({
    method: "POST",
    path: "/event-types/import",
    operationId: "importEventTypes",
    summary: "Import event types from an OpenAPI document",
    description:
      "Reads the `webhooks` of an OpenAPI 3.1 `document`, an object or text in JSON or YAML. " +
      "Replaces what has the same name. `skipped` says what can't be used, and why.",
    methodHint: 'No event type of the catalog can be named "import".',
    service: importEventTypes,
    view: importView,
    example: { document: { openapi: "3.1.0", webhooks: { "invoice.paid": { post: {} } } } },
  }),
  ...eventTypeVersionRoutes,
];
