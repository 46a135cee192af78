import { z } from "zod";
import type { EventRecord, EventWithRuns } from "#lib/services/events/read-events.ts";
import { RawJson } from "#lib/web/route/api-json.ts";
import { pick, view } from "#lib/web/route/view.ts";
import { runSchema, runView } from "#lib/web/runs/run-view.ts";

const eventSchema = z
  .object({
    id: z.string(),
    type: z.string(),
    recipient: z.string().nullable(),
    occurredAt: z.date().nullable(),
    createdAt: z.date(),
    deliveryId: z.string().nullable().describe("The delivery that a hook published"),
    warning: z.string().nullable().describe("How `data` differs from the schema of its type"),
    isTest: z.boolean().describe("Made for one subscription. No other one gets it"),
    bodySize: z.int().describe("In bytes"),
  })
  .meta({ id: "Event" });

/** An event in a list. */
export const eventView = view(eventSchema, (event: EventRecord) => pick(eventSchema, event));

/** An event with the body that receivers get, digit by digit, and its sends. */
export const wholeEventView = view(
  eventSchema
    .extend({
      body: z.unknown().describe("What receivers get: `{id, type, timestamp, data}`"),
      runs: z.array(runSchema).describe("Its newest 200 sends, without attempts"),
    })
    .meta({ id: "WholeEvent" }),
  ({ event, runs }: EventWithRuns, context) => ({
    ...eventView.show(event, context),
    body: new RawJson(Buffer.from(event.body).toString("utf8")),
    runs: runs.map((run) => runView.show(run, context)),
  }),
);

const publishedEvent = z
  .object({
    id: z.string(),
    type: z.string(),
    recipient: z.string().nullable(),
    runs: z.int().optional().describe("The number of its sends, unless it is a duplicate"),
    duplicate: z.boolean(),
    warning: z.string().optional().describe("How `data` differs from the schema of its type"),
  })
  .meta({ id: "PublishedEvent" });

const unpublishedEvent = z
  .object({
    id: z.string(),
    error: z.object({ code: z.enum(["conflict", "unavailable"]), message: z.string() }),
  })
  .meta({ id: "UnpublishedEvent" });

/** The response that `lib/publish` writes. */
export const published = {
  event: publishedEvent,
  batch: z.object({
    events: z
      .array(z.union([publishedEvent, unpublishedEvent]))
      .describe("One result per event, in order"),
  }),
};
