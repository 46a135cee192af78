import { z } from "zod";
import {
  alertEvents,
  alertStates,
  channelKinds,
  digests,
  quietHoursSchema,
} from "#lib/schema/watch/alert.ts";
import { problemKind } from "#lib/schema/watch/problem.ts";
import type { NewChannel } from "#lib/services/alerts/alert-channels.ts";
import type { AlertRecord, ChannelRecord, RuleRecord } from "#lib/services/alerts/read-alerts.ts";
import { asIs, pick, view } from "#lib/web/route/view.ts";

const channelFields = {
  id: z.string(),
  name: z.string(),
  kind: z.enum(channelKinds),
  target: z.string().describe("The email address, or the host of the URL"),
  createdAt: z.date(),
  updatedAt: z.date(),
};
const channelSchema = z.object(channelFields).meta({ id: "AlertChannel" });

/** Never with what is sealed. */
export const channelView = view(channelSchema, showChannel);

export const newChannelView = view(
  z
    .object({
      ...channelFields,
      secret: z
        .string()
        .nullable()
        .describe("Signs calls to a URL, and is shown once. Null for other kinds"),
    })
    .meta({ id: "NewAlertChannel" }),
  ({ channel, secret }: NewChannel) => ({ ...showChannel(channel), secret }),
);

function showChannel(channel: ChannelRecord) {
  return pick(channelSchema, channel);
}

export const channelTestView = asIs(
  z
    .object({ ok: z.boolean(), message: z.string().describe("How it went, in a sentence") })
    .meta({ id: "AlertChannelTest" }),
);

export const ruleView = view(
  z
    .object({
      id: z.string(),
      kind: problemKind,
      threshold: z.int(),
      withinSeconds: z.int(),
      channelIds: z.array(z.string()),
      quietHours: quietHoursSchema.nullable(),
      digest: z.enum(digests),
      remindMinutes: z.int().nullable(),
      enabled: z.boolean(),
      createdAt: z.date(),
      updatedAt: z.date(),
    })
    .meta({ id: "AlertRule" }),
  (rule: RuleRecord) => rule,
);

/** The messages about a problem, oldest first. */
export const alertsView = view(
  z.object({
    data: z.array(
      z
        .object({
          id: z.string(),
          channelId: z.string(),
          channelName: z.string(),
          channelKind: z.enum(channelKinds),
          event: z.enum(alertEvents),
          state: z.enum(alertStates),
          dueAt: z.date(),
          createdAt: z.date(),
          endedAt: z.date().nullable(),
          attempts: z.array(
            z.object({
              number: z.int(),
              startedAt: z.date(),
              durationMs: z
                .int()
                .nullable()
                .describe("Null: it is being made, or its worker was stopped"),
              isSent: z.boolean().nullable(),
              message: z.string().nullable(),
            }),
          ),
        })
        .meta({ id: "Alert" }),
    ),
  }),
  (alerts: readonly AlertRecord[]) => ({
    data: alerts.map((alert) => ({ ...alert, attempts: [...alert.attempts] })),
  }),
);
