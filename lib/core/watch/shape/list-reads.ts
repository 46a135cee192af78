import {
  listStepTemplates,
  listTemplates,
} from "#lib/core/mapping/build-request/list-templates.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { type ActionStep, type AnyStep, listSteps } from "#lib/schema/act/steps.ts";
import { readSteps } from "#lib/schema/field/value-path.ts";
import { listVariables } from "./list-variables.ts";
import { itemPath, joinPath } from "./shape-path.ts";

/** A part of an action that reads a field of the payload. */
export type Read = {
  /** The field, as in a learned shape: `data.items[].price`. */
  readonly path: string;
  /** Where it is read: `body.amount`, `filter`, or `notify: url` for a step. */
  readonly at: string;
};

type ReadingAction = {
  readonly filter: unknown;
  readonly request: ActionRequestTemplate | null;
  readonly steps: readonly ActionStep[] | null;
};

/**
 * The fields that an action reads by name: in templates, filters, and lists that it goes through. Of a
 * transform's code, it finds what is written as a path, such as `delivery.payload.data.id`.
 */
export function listReads({ filter, request, steps }: ReadingAction): readonly Read[] {
  const own = request === null ? [] : listTemplateReads(listTemplates(request), noItem);
  const inSteps = listSteps(steps ?? []).flatMap(({ step }) =>
    listStepReads(step).map(({ path, at }) => ({ path, at: `${step.key}: ${at}` })),
  );
  return [...listFilterReads(filter, "filter"), ...own, ...inSteps];
}

/** The value of `item` in the templates of a step. */
type Item = readonly (string | number)[] | null;
const noItem: Item = null;

function listStepReads(step: AnyStep): readonly Read[] {
  const item = step.forEach === null ? noItem : [...readSteps(step.forEach.path), 0];
  const list = step.forEach === null ? [] : toReads([readSteps(step.forEach.path)], "forEach");
  return [...listFilterReads(step.when, "when"), ...list, ...listKindReads(step, item)];
}

function listKindReads(step: AnyStep, item: Item): readonly Read[] {
  return step.kind === "transform"
    ? listCodeReads(step.code)
    : listTemplateReads(listStepTemplates(step), item);
}

function listTemplateReads(
  templates: ReturnType<typeof listStepTemplates>,
  item: Item,
): readonly Read[] {
  return templates.flatMap(({ path, source }) => readTemplate(source, path, item));
}

function readTemplate(source: string, at: string, item: Item): readonly Read[] {
  const paths = listVariables(source).map((keys) =>
    keys[0] === "item" && item !== null ? [...item, ...keys.slice(1)] : keys,
  );
  return toReads(paths, at);
}

function listCodeReads(code: string): readonly Read[] {
  const found = code.matchAll(
    /\bpayload((?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|\[\d+\]|\["[^"\]]+"\])+)/gu,
  );
  return toReads(
    [...found].map(([, path = ""]) => readSteps(`payload${path.replaceAll("?.", ".")}`)),
    "code",
  );
}

/** Conditions name their value as `path`, at any depth. */
function listFilterReads(filter: unknown, at: string): readonly Read[] {
  if (typeof filter !== "object" || filter === null) return [];
  return Object.entries(filter).flatMap(([key, value]) =>
    key === "path" && typeof value === "string"
      ? toReads([readSteps(value)], at)
      : listFilterReads(value, at),
  );
}

/** Names that read the payload, and its path. */
const roots: Readonly<Record<string, readonly string[]>> = {
  payload: [],
  data: ["data"],
  id: ["id"],
  type: ["type"],
};
const ofLists = new Set(["first", "last"]);

function toReads(paths: readonly (readonly (string | number)[])[], at: string): readonly Read[] {
  const reads = new Map<string, Read>();
  for (const [root = "", ...keys] of paths) {
    const start = Object.hasOwn(roots, root) ? roots[root] : undefined;
    if (start === undefined) continue;
    const path = toShapePath([...start, ...keys]);
    if (path !== "") reads.set(path, { path, at });
  }
  return [...reads.values()];
}

function toShapePath(keys: readonly (string | number)[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === "number" || /^-?\d+$/.test(key) || ofLists.has(key)) return itemPath(path);
    return key === "size" ? path : joinPath(path, key);
  }, "");
}
