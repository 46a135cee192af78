/** The rules that tell two events of a hook apart, and name their type. */
import { z } from "zod";
import { bodyPath, headerName } from "#lib/schema/field/common.ts";
import { printable } from "#lib/schema/receive/value-source.ts";

const header = z.strictObject({ from: z.literal("header"), name: headerName });
const body = z.strictObject({ from: z.literal("body"), path: bodyPath });
const query = z.strictObject({
  from: z.literal("query"),
  name: printable("a query parameter", 128),
});
/** A segment of the path below the catch URL. */
const path = z.strictObject({
  from: z.literal("path"),
  segment: z
    .int({ error: "must be a whole number: 1 is the first segment after the catch URL" })
    .min(1, "must be at least 1, the first segment after the catch URL")
    .max(20, "must be at most 20"),
});
/** The `id` of a body in the shape of an event. */
const event = z.strictObject({ from: z.literal("event") });
/** The whole body, or all of it except fields that change with each attempt. */
const content = z.strictObject({
  from: z.literal("content"),
  except: z
    .array(bodyPath)
    .min(1, "must name at least one field")
    .max(5, "must name at most 5 fields")
    .readonly()
    .optional(),
});
/** Method, path, query, body, and the headers that name the type of an event. */
const request = z.strictObject({ from: z.literal("request") });

/**
 * The time during which the same value means the same event. Omitted: as long as deliveries are
 * stored.
 */
const withinSeconds = z
  .int({ error: "must be a whole number of seconds" })
  .min(1, "must be at least 1 second")
  .max(90 * 86_400, "must be at most 90 days")
  .optional();
const limited = { withinSeconds };
const named =
  '{"from":"body","path":"…"}, {"from":"header","name":"…"}, {"from":"query","name":"…"}, ' +
  '{"from":"path","segment":1}';
const parts = [body, header, query, path, event, content, request] as const;
const all = z.strictObject({
  from: z.literal("all"),
  of: z
    .array(
      z.discriminatedUnion("from", parts, {
        error: `must be ${named}, {"from":"event"}, {"from":"content"} or {"from":"request"}`,
      }),
    )
    .min(2, "must name at least two sources")
    .max(5, "must name at most 5 sources"),
});

const dedupeSource = z.discriminatedUnion(
  "from",
  [
    body.extend(limited),
    header.extend(limited),
    query.extend(limited),
    path.extend(limited),
    event.extend(limited),
    content.extend(limited),
    request.extend(limited),
    all.extend(limited),
  ],
  {
    error: `must be ${named}, {"from":"event"}, {"from":"content"}, {"from":"request"} or {"from":"all","of":[…]}`,
  },
);
const eventTypeSource = z.discriminatedUnion("from", [body, header, query, path], {
  error: `must be ${named}`,
});

/** One source, a list of which the first present one counts, or null. */
export const dedupeRuleSchema = oneOrMore(dedupeSource).nullable();
export const eventTypeRuleSchema = oneOrMore(eventTypeSource).nullable();

export type DedupeSource = z.output<typeof dedupeSource>;
export type EventTypeSource = z.output<typeof eventTypeSource>;
export type DedupeRule = z.output<typeof dedupeRuleSchema>;
export type EventTypeRule = z.output<typeof eventTypeRuleSchema>;

export const defaultEventTypeRule: EventTypeRule = { from: "body", path: "type" };

/** Not a union: its error would only say that neither matches, not which field is wrong. */
function oneOrMore<Source extends z.ZodType>(source: Source) {
  const several = z
    .array(source)
    .min(1, "must name at least one source")
    .max(5, "at most 5 sources");
  return z
    .unknown()
    .transform((input, context): z.output<Source> | z.output<Source>[] => {
      const parsed = Array.isArray(input) ? several.safeParse(input) : source.safeParse(input);
      if (parsed.success) return parsed.data;
      for (const issue of parsed.error.issues)
        context.issues.push({ ...issue, input } as z.core.$ZodRawIssue);
      return z.NEVER;
    })
    .describe("One source, or a list of up to 5, of which the first with a value counts");
}
