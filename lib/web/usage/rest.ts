import { z } from "zod";
import { listUsage, type NamedUsage } from "#lib/services/account/usage.ts";
import { exportRoute } from "#lib/web/route/export-route.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView, view } from "#lib/web/route/view.ts";

/** A row of usage in the API's responses, and in an export. */
const usageView = view(
  z
    .object({
      day: z.string().nullable().describe("In UTC, such as 2026-11-21. Null: all days"),
      hookId: z.string().nullable(),
      recipient: z
        .string()
        .nullable()
        .describe("Null with `by=recipient`: events without a recipient"),
      name: z.string().nullable().describe("The name of the hook or recipient, if it still exists"),
      deliveries: z.int().describe("Stored requests to hooks, of any status"),
      bytes: z.int().describe("The size of the bodies of deliveries and events"),
      events: z.int().describe("Published events"),
      sends: z.int().describe("Events that were sent to a subscription, with at least one call"),
      calls: z.int().describe("Every attempt of actions and sends"),
    })
    .meta({ id: "Usage" }),
  ({ by, key, name, deliveries, bytes, events, sends, calls }: NamedUsage) => ({
    day: by === "day" ? key : null,
    hookId: by === "hook" ? key : null,
    recipient: by === "recipient" && key !== "" ? key : null,
    ...{ name, deliveries, bytes, events, sends, calls },
  }),
);

export const usageRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/usage",
    operationId: "listUsage",
    summary: "List usage",
    description:
      "What the account has used, by day, hook, or recipient. Days come newest first, hooks and recipients by " +
      "their ids. Counts stay when retention or a person removes what was counted.",
    service: listUsage,
    view: pageView(usageView),
  }),
  exportRoute({
    list: "/usage",
    operationId: "exportUsage",
    summary: "Export usage",
    service: listUsage,
    view: usageView,
  }),
];
