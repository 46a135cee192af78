import { z } from "zod";
import { findEventList } from "#lib/core/providers/event-lists/find-event-list.ts";
import { gapStatuses } from "#lib/schema/receive/gap.ts";
import type { GapRecord, WholeGap } from "#lib/services/gaps/gaps.ts";
import { view } from "#lib/web/route/view.ts";

const gapSchema = z
  .object({
    id: z.string(),
    hookId: z.string(),
    provider: z.string(),
    status: z
      .enum(gapStatuses)
      .describe("`asking` until the provider has listed all, then `found`"),
    summary: z.string().describe("What was found, as a sentence"),
    reason: z.string().nullable().describe("Why it waits, or failed"),
    from: z.date().describe("Later than what was asked for if the provider doesn't list that long"),
    to: z.date(),
    askedFrom: z.date(),
    credentialId: z.string().nullable().describe("Null: it was deleted since"),
    eventCount: z.int().describe("Events that the provider listed"),
    webhook: z
      .string()
      .nullable()
      .describe("The path of the webhook in the provider's API. Null: it lists events"),
    missingCount: z.int().describe("Those that had never arrived when it was searched"),
    takenCount: z.int().describe("Missing ones that are deliveries now"),
    repeatedCount: z.int().describe("Missing ones that a webhook has brought since"),
    refusedCount: z.int().describe("Missing ones that the hook's rules reject"),
    jobId: z.string().nullable().describe("The bulk job that takes them in. Null: none"),
    askedBy: z.string(),
    takenBy: z.string().nullable(),
    createdAt: z.date(),
    finishedAt: z.date().nullable(),
  })
  .meta({ id: "Gap" });

const wholeGapSchema = gapSchema
  .extend({
    cameCount: z
      .int()
      .nullable()
      .describe(
        "How many of the events that the provider was asked to send again came. Null: it is never asked to",
      ),
    types: z.array(
      z.object({
        eventType: z.string().nullable(),
        eventCount: z.int(),
        missingCount: z.int().describe("Missing now"),
      }),
    ),
  })
  .meta({ id: "WholeGap" });

/** A search in a list. */
export const gapView = view(gapSchema, showGap);

/** A search with the types of its events. */
export const wholeGapView = view(wholeGapSchema, ({ types, cameCount, ...gap }: WholeGap) => ({
  ...showGap(gap),
  cameCount,
  summary: describeGap(gap, cameCount),
  types: [...types],
}));

function showGap({ fromAt, toAt, ...gap }: GapRecord) {
  return { ...gap, from: fromAt, to: toAt, summary: describeGap({ fromAt, toAt, ...gap }) };
}

/** "Stripe has 1,204 events from … to …, 37 never arrived." */
export function describeGap(
  { provider, fromAt, toAt, ...gap }: GapRecord,
  cameCount: number | null = null,
): string {
  const { status, eventCount, missingCount, takenCount, repeatedCount } = gap;
  const list = findEventList(provider);
  const name = list?.name ?? provider;
  const events = eventCount === 1 ? "1 event" : `${count(eventCount)} events`;
  const span = `from ${utc(fromAt)} to ${utc(toAt)}`;
  const missing =
    missingCount === 0 ? "all of them arrived" : `${count(missingCount)} never arrived`;
  const listed = status === "found" ? "has" : "has listed";
  const late = repeatedCount === 0 ? "" : ` ${count(repeatedCount)} arrived since.`;
  const came = cameCount === null ? "" : `, ${count(cameCount)} of them came`;
  const taken =
    takenCount === 0
      ? ""
      : list?.redelivers === undefined
        ? ` ${count(takenCount)} are taken in.`
        : ` ${count(takenCount)} were asked for again${came}.`;
  const found = eventCount === 0 ? "" : `, ${missing}`;
  return `${name} ${listed} ${eventCount === 0 ? "no events" : events} ${span}${found}.${taken}${late}`;
}

function count(number: number): string {
  return number.toLocaleString("en");
}

/** To the minute. */
function utc(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
