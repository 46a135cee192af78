import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { writePath } from "#lib/schema/field/value-path.ts";
import { isScalar, type Scalar, toText } from "./scalar.ts";

/** A value of the delivery that a template can name. */
export type SourceLeaf = {
  /** The path in a template: `payload.customer.email`. */
  readonly path: string;
  /** The names in the path, without those of list items. */
  readonly names: readonly string[];
  readonly value: Scalar;
  readonly text: string;
};

/** A list or an object as a whole. */
export type SourceNode = {
  readonly path: string;
  readonly names: readonly string[];
  readonly value: JsonValue;
};

type Source = {
  readonly leaves: readonly SourceLeaf[];
  readonly nodes: readonly SourceNode[];
};

/** The limit is larger than any form. The first leaves count. */
const maxLeaves = 1_500;
const maxDepth = 12;
/** The number of items of a list that are read one by one. */
const maxItems = 5;

/** Everything below `root`, outer values first. */
export function listSource(root: string, value: JsonValue): Source {
  const leaves: SourceLeaf[] = [];
  const nodes: SourceNode[] = [];
  const queue: { keys: readonly (string | number)[]; value: JsonValue }[] = [
    { keys: [root], value },
  ];
  for (const { keys, value: current } of queue) {
    if (leaves.length >= maxLeaves) break;
    const place = {
      path: writePath(keys),
      names: keys.slice(1).filter((key) => typeof key === "string"),
    };
    if (isScalar(current)) {
      leaves.push({ ...place, value: current, text: toText(current) });
      continue;
    }
    nodes.push({ ...place, value: current });
    if (keys.length > maxDepth) continue;
    const entries = Array.isArray(current)
      ? current.slice(0, maxItems).map((item, index) => [index, item] as const)
      : Object.entries(current);
    for (const [key, item] of entries)
      queue.push({ keys: [...keys, key], value: item as JsonValue });
  }
  return { leaves, nodes };
}
