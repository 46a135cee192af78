/**
 * A restricted liquidjs: no files, no partials, no randomness, nothing that evaluates text from a
 * delivery, and everything counted.
 */
import { defaultOperators, Liquid, tags as liquidTags, RawTag, toValueSync } from "liquidjs";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { MappingScope } from "./mapping-scope.ts";
import { createFilters } from "./template-filters.ts";
import {
  CountedCapture,
  CountedFor,
  DisabledTag,
  StrictAssign,
  ValueEcho,
} from "./template-nodes.ts";

const allowedTags = new Set(
  "assign break capture case comment continue echo for if liquid raw unless #".split(" "),
);

/** One engine serves all templates, because it stores nothing between them. */
export const liquid = createLiquid();

function createLiquid(): Liquid {
  const engine = new Liquid({
    // An empty in-memory set of templates, so that no tag can reach the file system.
    templates: {},
    strictFilters: true,
    strictVariables: true,
    ownPropertyOnly: true,
    lenientIf: true,
    locale: "en-US",
    timezoneOffset: 0,
    operators: { ...defaultOperators, ...countedOperators() },
  });
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name);
  for (const [name, filter] of createFilters()) engine.registerFilter(name, filter);
  for (const name of Object.keys(liquidTags))
    if (!allowedTags.has(name)) engine.registerTag(name, DisabledTag);
  engine.registerTag("assign", StrictAssign);
  engine.registerTag("capture", CountedCapture);
  engine.registerTag("echo", ValueEcho);
  engine.registerTag("for", CountedFor);
  engine.registerTag("raw", RawTag);
  return engine;
}

/**
 * liquidjs compares with generators at some 150 ns per item: twenty times the cost of a character.
 */
const unitsPerComparison = 20;

type OperatorName = keyof typeof defaultOperators & string;

function countedOperators() {
  const names: readonly OperatorName[] = ["==", "!=", "<", "<=", ">", ">=", "contains"];
  return Object.fromEntries(
    names.map((name) => [
      name,
      (left: unknown, right: unknown, ctx: unknown) => compareCounted(name, left, right, ctx),
    ]),
  );
}

/**
 * Comparing long lists and numbers or searching long text counts too, since the input is untrusted.
 */
function compareCounted(name: OperatorName, left: unknown, right: unknown, ctx: unknown): boolean {
  if (!(ctx instanceof MappingScope)) throw new TypeError("operators run in a MappingScope only");
  chargeItems(ctx, left);
  chargeItems(ctx, right);
  if (name === "contains" && typeof left === "string" && typeof right === "string") {
    ctx.budget.use((left.length * right.length) / 64);
  }
  const operator = defaultOperators[name] as (
    left: unknown,
    right: unknown,
    ctx: MappingScope,
  ) => unknown;
  return toValueSync(operator(left, right, ctx) as Generator<unknown, boolean, unknown>);
}

function chargeItems(scope: MappingScope, value: unknown): void {
  if (typeof value === "string") scope.budget.use(value.length / 64);
  if (value instanceof ExactNumber) scope.budget.use(value.toString().length);
  if (!Array.isArray(value)) return;
  scope.budget.use(value.length * unitsPerComparison);
  for (const item of value) if (typeof item === "object") chargeItems(scope, item);
}
