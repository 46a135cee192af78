/**
 * The conditions under which an action runs, or a subscription gets an event: plain data, without
 * expressions.
 */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { describeDateProblem } from "#lib/schema/field/date-problem.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { readWrittenDate } from "#lib/schema/field/read-date.ts";
import { parsePath } from "#lib/schema/field/value-path.ts";
import { checkPattern, maxPatternChars } from "./filter-pattern.ts";

const filterText = z.string().max(1000, "must have at most 1000 characters");
const filterNumber = z.union([z.number(), z.instanceof(ExactNumber)], {
  error: "must be a number",
});
const filterScalar = z.union([filterText, filterNumber, z.boolean(), z.null()], {
  error: "must be text of at most 1000 characters, a number, true, false, or null",
});
const filterOrdered = z.union([filterNumber, filterText], { error: "must be a number or text" });

const notDate =
  "must be a date such as 2026-11-21T10:00:00Z, a Unix time, or relative: now, 7 days ago, in 2 hours";
const filterDate = z
  .union([filterNumber, filterText], { error: notDate })
  .superRefine((value, ctx) => {
    const read = readWrittenDate(value, 0);
    if (read.ok) return;
    const message = `${notDate}, and not ${describeDateProblem(value, read)}`;
    ctx.addIssue({ code: "custom", message });
  });

const filterPattern = z
  .string({ error: "must be a regular expression, as text" })
  .min(1, "must not be empty")
  .max(maxPatternChars, `must have at most ${maxPatternChars} characters`)
  .superRefine((pattern, ctx) => {
    if (pattern === "" || pattern.length > maxPatternChars) return;
    const checked = checkPattern(pattern);
    if (!checked.ok) ctx.addIssue({ code: "custom", message: checked.message });
  });

/** The names that a path can start with. */
type Names = { readonly names: readonly string[]; readonly example: string };

/** `data.object.items[0].price`, `headers["x y"]`: the names of templates. */
function pathOver({ names, example }: Names) {
  const root = new RegExp(`^(?:${names.join("|")})(?=[.[]|$)`);
  return z
    .string()
    .max(500, "must have at most 500 characters")
    .superRefine((path, context) => {
      const parsed = parsePath(path);
      if (!root.test(path))
        context.addIssue({ code: "custom", message: `must be a name such as ${example}` });
      else if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.message });
    });
}

/** The conditions on one value. */
function listValueConditions(path: ReturnType<typeof pathOver>) {
  return [
    z.strictObject({ path, op: z.enum(["exists", "notExists"]) }),
    z.strictObject({
      path,
      op: z.enum(["equals", "notEquals", "contains"]),
      value: filterScalar,
    }),
    z.strictObject({
      path,
      op: z.literal("in"),
      value: z.array(filterScalar).min(1).max(100),
    }),
    z.strictObject({
      path,
      op: z.enum(["gt", "gte", "lt", "lte"]),
      value: filterOrdered,
    }),
    z.strictObject({ path, op: z.enum(["before", "after"]), value: filterDate }),
    z.strictObject({ path, op: z.enum(["startsWith", "endsWith"]), value: filterText }),
    z.strictObject({ path, op: z.literal("matches"), value: filterPattern }),
  ] as const;
}

type ValueCondition = z.infer<ReturnType<typeof listValueConditions>[number]>;

const itemOperators = ["anyItem", "allItems", "noItem"] as const;

/** A condition on the items of a list: in `where`, paths start with `item`. */
export type ItemCondition = {
  readonly path: string;
  readonly op: (typeof itemOperators)[number];
  readonly where: ActionFilter;
};

export type FilterCondition = ValueCondition | ItemCondition;

/**
 * Runs the action only if all, any, or none of its parts match. A part is a condition or a nested
 * filter.
 */
export type ActionFilter =
  | { readonly all: readonly FilterPart[] }
  | { readonly any: readonly FilterPart[] }
  | { readonly none: readonly FilterPart[] };
export type FilterPart = FilterCondition | ActionFilter;

const filterGroups = ["all", "any", "none"] as const;
export type FilterGroup = (typeof filterGroups)[number];

/** The way in which a filter combines its parts. */
export function readFilterGroup(filter: ActionFilter): {
  readonly group: FilterGroup;
  readonly parts: readonly FilterPart[];
} {
  if ("all" in filter) return { group: "all", parts: filter.all };
  return "any" in filter
    ? { group: "any", parts: filter.any }
    : { group: "none", parts: filter.none };
}

const maxLevels = 4;
const maxConditions = 50;

const itemNames: Names = { names: ["item"], example: "item.price, or item for the item itself" };

const tooDeep = z.unknown().transform((_value, ctx): ActionFilter => {
  ctx.addIssue({
    code: "custom",
    ...brokenRule("too_long", `groups can be nested ${maxLevels} levels deep`, {
      limit: maxLevels,
    }),
  });
  return z.NEVER;
});

/** Filters by level. A level is built once and used by every condition. */
const itemFilters = new Map<number, z.ZodType<ActionFilter>>();

function itemFilterOf(levels: number): z.ZodType<ActionFilter> {
  const known = itemFilters.get(levels) ?? filterOf(itemNames, levels);
  itemFilters.set(levels, known);
  return known;
}

// Not a union: zod would report "invalid input" without the path of the error.
function filterOf(names: Names, levels: number): z.ZodType<ActionFilter> {
  const parts = z
    .array(partOf(names, levels - 1))
    .min(1, "at least one condition")
    .max(maxConditions, `at most ${maxConditions} conditions`);
  return z
    .strictObject({
      all: parts
        .optional()
        .describe(
          "Conditions or nested filters that must all match. A filter has one of `all`, `any`, and `none`",
        ),
      any: parts
        .optional()
        .describe("Conditions or nested filters of which at least one must match"),
      none: parts.optional().describe("Conditions or nested filters of which none may match"),
    })
    .transform(({ all, any, none }, ctx): ActionFilter => {
      const [filter, ...others] = [
        ...(all === undefined ? [] : [{ all }]),
        ...(any === undefined ? [] : [{ any }]),
        ...(none === undefined ? [] : [{ none }]),
      ];
      if (filter !== undefined && others.length === 0) return filter;
      ctx.addIssue({
        code: "custom",
        message: 'must be {"all": […]}, {"any": […]}, or {"none": […]}',
      });
      return z.NEVER;
    });
}

function partOf(names: Names, levels: number): z.ZodType<FilterPart> {
  const path = pathOver(names);
  const condition = z.discriminatedUnion("op", [
    ...listValueConditions(path),
    z.strictObject({
      path,
      op: z.enum(itemOperators),
      where: levels === 0 ? tooDeep : itemFilterOf(levels),
    }),
  ]);
  const group = levels === 0 ? tooDeep : filterOf(names, levels);
  return z.unknown().transform((value, ctx): FilterPart => {
    const parsed = isFilterGroup(value) ? group.safeParse(value) : condition.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues)
      ctx.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
    return z.NEVER;
  });
}

/** True for a filter inside another one, false for a condition. */
function isFilterGroup(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && filterGroups.some((group) => group in value)
  );
}

/** Every condition, including those in groups and those on items. */
function listConditions(part: FilterPart): readonly FilterCondition[] {
  if (!("op" in part)) return readFilterGroup(part).parts.flatMap(listConditions);
  return "where" in part ? [part, ...listConditions(part.where)] : [part];
}

/**
 * The limit for all patterns together. Compiling this many takes about 50 ms, once in each process.
 */
const maxInstructions = 5_000;

function sumInstructions(conditions: readonly FilterCondition[]): number {
  return conditions.reduce((sum, condition) => {
    const checked = condition.op === "matches" ? checkPattern(condition.value) : null;
    return checked?.ok === true ? sum + checked.instructions : sum;
  }, 0);
}

function filterOver(id: string, names: Names): z.ZodType<ActionFilter> {
  return filterOf(names, maxLevels)
    .refine(
      (filter) => listConditions(filter).length <= maxConditions,
      brokenRule("too_long", `at most ${maxConditions} conditions`, { limit: maxConditions }),
    )
    .refine(
      (filter) => sumInstructions(listConditions(filter)) <= maxInstructions,
      "has regular expressions that are too large together: use fewer or simpler ones",
    )
    .meta({ id });
}

const deliveryNames = [
  "payload",
  "id",
  "type",
  "data",
  "headers",
  "query",
  "path",
  "method",
  "delivery",
  "hook",
];

/** A filter that reads a delivery. */
export const actionFilterSchema = filterOver("DeliveryFilter", {
  names: deliveryNames,
  example: 'type, data.object.amount_total, data.items[0].id or headers["x-topic"]',
});

const stepNames: Names = {
  names: [...deliveryNames, "steps", "item", "index"],
  example: "type, data.items[0].id, steps.find.body.id, or item.id",
};

/** A filter that reads a delivery, the outcomes of earlier steps, and the item of `forEach`. */
export const stepFilterSchema = filterOver("StepFilter", stepNames);

/** A name that a step can read. */
export const stepPath = pathOver(stepNames);

/** A filter that reads a receiver's response. */
export const responseFilterSchema = filterOver("ResponseFilter", {
  names: ["status", "headers", "body"],
  example: 'status, body.ok, body.errors[0].code, or headers["x-status"]',
});

/** The filter of a subscription, which reads an event. */
export const eventFilterSchema = filterOver("EventFilter", {
  names: ["payload", "id", "type", "timestamp", "data"],
  example: "type, data.object.amount_total or data.items[0].id",
});
