import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { MappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import { isJsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";
import { childPath, type ExampleRequest, listFields, listFlatFields } from "./example-request.ts";
import { Matcher } from "./matcher.ts";
import type { FieldProposal } from "./proposal.ts";
import { isScalar } from "./scalar.ts";
import { listSource, type SourceNode } from "./source-leaves.ts";

/**
 * Proposes templates that produce an example's values from a delivery: equal values first, then
 * common conversions, then similar names. Every template is rendered before it is proposed, so the
 * description of its value is true.
 */
export function proposeMapping(
  example: ExampleRequest,
  context: MappingContext,
  nowMs: number,
): readonly FieldProposal[] {
  const payload = context.names.payload;
  const source = listSource("payload", (payload ?? null) as JsonValue);
  const matcher = new Matcher(source.leaves, context, nowMs);
  const proposals = listFlatFields(example).map((field) => matcher.propose(field));
  if (example.body.kind === "json")
    proposals.push(
      ...proposeNode({ path: "body", names: [], value: example.body.value }, matcher, source.nodes),
    );
  return proposals;
}

function proposeNode(
  node: SourceNode,
  matcher: Matcher,
  nodes: readonly SourceNode[],
): FieldProposal[] {
  const { path, names, value } = node;
  if (isScalar(value)) return [matcher.propose({ path, names, value, isTyped: true })];
  const whole =
    proposeWhole(node, matcher, nodes) ??
    (Array.isArray(value) ? proposeEach(node, matcher, nodes) : null);
  if (whole !== null) return whole;
  const entries = Array.isArray(value)
    ? value.map((item: JsonValue, index) => [index, item] as const)
    : Object.entries(value as Record<string, JsonValue>);
  return entries.flatMap(([key, item]) =>
    proposeNode(
      {
        path: childPath(path, key),
        names: typeof key === "string" ? [...names, key] : names,
        value: item,
      },
      matcher,
      nodes,
    ),
  );
}

/**
 * Proposes a list or an object that the delivery contains unchanged, or as one field of each item.
 */
function proposeWhole(
  { path, value }: SourceNode,
  matcher: Matcher,
  nodes: readonly SourceNode[],
): FieldProposal[] | null {
  const text = write(value);
  if (text.length < 8) return null;
  const found = nodes.find(
    (node) => Array.isArray(node.value) === Array.isArray(value) && write(node.value) === text,
  );
  const templates = found === undefined ? [] : [`{{ ${found.path} }}`];
  if (found === undefined && Array.isArray(value) && value.every((item) => isScalar(item))) {
    for (const list of nodes.filter(isListOfObjects)) {
      const [first] = list.value as readonly JsonValue[];
      for (const key of Object.keys(first as object))
        templates.push(`{{ ${list.path} | map: "${key}" }}`);
    }
  }
  for (const template of templates) {
    const rendered = matcher.render(template);
    if (rendered === undefined || write(rendered as JsonValue) !== text) continue;
    const why = found === undefined ? "one field of each item" : "same values";
    return [{ path, literal: text, template, value: text, why, confidence: "same" }];
  }
  return null;
}

/** Proposes a list of objects that is built from a list of the delivery, item by item. */
function proposeEach(
  { path, names, value }: SourceNode,
  matcher: Matcher,
  nodes: readonly SourceNode[],
): FieldProposal[] | null {
  const [example] = value as readonly JsonValue[];
  if (example === undefined || !isJsonObject(example)) return null;
  let best: {
    readonly proposals: readonly FieldProposal[];
    readonly list: SourceNode;
    readonly score: number;
  } | null = null;
  for (const list of nodes.filter(isListOfObjects).slice(0, maxLists)) {
    for (const item of (list.value as readonly JsonValue[]).slice(0, maxItems)) {
      const inner = matcher.within(item, [...list.names]);
      const proposals = listFields(`${path}[]`, names, example).map((field) =>
        inner.propose(field),
      );
      const own = proposals.filter(({ template }) => template?.includes("item") === true);
      const score = own.reduce(
        (sum, { confidence }) => sum + (confidence === "similar" ? 1 : 3),
        0,
      );
      if (score > (best?.score ?? 0)) best = { proposals, list, score };
    }
  }
  if (best === null || best.score < 2) return null;
  const { list, proposals } = best;
  const row: FieldProposal = {
    path,
    literal: write(value),
    template: null,
    value: `${(list.value as readonly JsonValue[]).length} items`,
    why: `for each item of ${list.path}`,
    confidence: best.score >= 3 ? "converted" : "similar",
    each: list.path,
  };
  return [row, ...proposals.map((proposal) => ({ ...proposal, within: path }))];
}

const maxItems = 3;
const maxLists = 8;

function isListOfObjects({ value }: SourceNode): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item: JsonValue) => isJsonObject(item))
  );
}

function write(value: JsonValue): string {
  const written = stringifyExactJson(value);
  return written.ok ? written.text : "";
}
