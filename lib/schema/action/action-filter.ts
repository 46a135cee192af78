/**
 * The conditions under which an action runs, or a subscription gets an event: plain data, without
 * expressions or regexes.
 */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";

const filterText = z.string().max(1000, "must have at most 1000 characters");
const filterNumber = z.union([z.number(), z.instanceof(ExactNumber)], {
  error: "must be a number",
});
const filterScalar = z.union([filterText, filterNumber, z.boolean(), z.null()], {
  error: "must be text of at most 1000 characters, a number, true, false, or null",
});
const filterOrdered = z.union([filterNumber, filterText], { error: "must be a number or text" });

/** @param names that a path can start with */
function conditionOver(names: readonly string[], example: string) {
  /** `data.object.items[0].price`, `headers["x y"]`: the names of templates. */
  const path = z
    .string()
    .max(500, "must have at most 500 characters")
    .regex(
      new RegExp(
        `^(?:${names.join("|")})(?:\\.[\\p{L}\\p{N}_$-]+|\\[\\d{1,9}\\]|\\["[^"\\]]+"\\]|\\['[^'\\]]+'\\])*$`,
        "u",
      ),
      `must be a name such as ${example}`,
    );
  return z.discriminatedUnion("op", [
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
    z.strictObject({ path, op: z.enum(["startsWith", "endsWith"]), value: filterText }),
  ]);
}

type ConditionSchema = ReturnType<typeof conditionOver>;
export type FilterCondition = z.infer<ConditionSchema>;

/**
 * Runs the action only if all, or any, of its parts match. A part is a condition or a nested
 * filter.
 */
export type ActionFilter =
  | { readonly all: readonly FilterPart[] }
  | { readonly any: readonly FilterPart[] };
export type FilterPart = FilterCondition | ActionFilter;

const maxLevels = 4;
const maxConditions = 50;

function filterOver(condition: ConditionSchema): z.ZodType<ActionFilter> {
  return filterOf(condition, maxLevels).refine(
    (filter) => countConditions(filter) <= maxConditions,
    brokenRule("too_long", `at most ${maxConditions} conditions`, { limit: maxConditions }),
  );
}

/** Over a delivery. */
export const actionFilterSchema = filterOver(
  conditionOver(
    ["payload", "id", "type", "data", "headers", "query", "path", "method", "delivery", "hook"],
    'type, data.object.amount_total, data.items[0].id or headers["x-topic"]',
  ),
);

/** Over an event, for the filter of a subscription. */
export const eventFilterSchema = filterOver(
  conditionOver(
    ["payload", "id", "type", "timestamp", "data"],
    "type, data.object.amount_total or data.items[0].id",
  ),
);

// Not a union: zod would report "invalid input" without the path of the error.
function filterOf(condition: ConditionSchema, levels: number) {
  const parts = z
    .array(partOf(condition, levels - 1))
    .min(1, "at least one condition")
    .max(maxConditions, `at most ${maxConditions} conditions`);
  return z
    .strictObject({ all: parts.optional(), any: parts.optional() })
    .transform(({ all, any }, ctx): ActionFilter => {
      if (all !== undefined && any === undefined) return { all };
      if (any !== undefined && all === undefined) return { any };
      ctx.addIssue({ code: "custom", message: 'must be {"all": […]} or {"any": […]}' });
      return z.NEVER;
    });
}

function partOf(condition: ConditionSchema, levels: number) {
  return z.unknown().transform((value, ctx): FilterPart => {
    const isGroup = isFilterGroup(value);
    if (isGroup && levels === 0) {
      ctx.addIssue({
        code: "custom",
        ...brokenRule("too_long", `groups can be nested ${maxLevels} levels deep`, {
          limit: maxLevels,
        }),
      });
      return z.NEVER;
    }
    const parsed = isGroup
      ? filterOf(condition, levels).safeParse(value)
      : condition.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues)
      ctx.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
    return z.NEVER;
  });
}

/** A filter inside another one, not a condition. */
function isFilterGroup(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("all" in value || "any" in value);
}

function countConditions(part: FilterPart): number {
  if ("op" in part) return 1;
  return ("all" in part ? part.all : part.any).reduce(
    (sum, inner) => sum + countConditions(inner),
    0,
  );
}
