import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { readXml } from "#lib/core/mapping/payload/read-xml.ts";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { buildSample, listSampleTypes } from "#lib/core/providers/samples/build-sample.ts";
import { actionInputSchema } from "#lib/schema/act/action.ts";
import { certainIfRead, findChanges } from "../find-changes.ts";
import { emptyShape, learnPayload } from "../learned-shape.ts";
import { listReads } from "../list-reads.ts";
import { listFieldPaths, mutations } from "./mutate.ts";

type TriedProvider = {
  readonly provider: string;
  readonly eventTypes: number;
  /** The changed fields of each mutation, and those that were found at the first bad delivery. */
  readonly tried: number;
  readonly found: Readonly<Record<keyof typeof mutations, number>>;
  /** Found, with exactly the part of the mapping that breaks. */
  readonly named: Readonly<Record<keyof typeof mutations, number>>;
  /** Changes reported for unchanged samples. */
  readonly falseAlarms: number;
};

const kinds = ["drop", "rename", "retype"] as const;

/** Learns each sample of each provider 30 times, and then changes each of its fields three ways. */
export function tryMutations(): readonly TriedProvider[] {
  return listProviders()
    .filter(({ id }) => listSampleTypes(id).length > 0)
    .map(({ id }) => tryProvider(id));
}

function tryProvider(provider: string): TriedProvider {
  const types = listSampleTypes(provider);
  const total = {
    provider,
    eventTypes: types.length,
    tried: 0,
    found: { drop: 0, rename: 0, retype: 0 },
    named: { drop: 0, rename: 0, retype: 0 },
    falseAlarms: 0,
  };
  for (const eventType of types) {
    const sample = () => makePayload(provider, eventType);
    let learned = emptyShape;
    for (let each = 0; each < certainIfRead; each += 1) learned = learnPayload(learned, sample());
    const reads = makeMapping(sample());
    const readPaths = reads.map(({ path }) => path);
    const next = sample();
    total.falseAlarms += findChanges(learned, next, readPaths).length;
    for (const path of unique(listFieldPaths(next))) {
      total.tried += 1;
      for (const kind of kinds) {
        const changes = findChanges(learned, mutations[kind](next, path), readPaths);
        const change = changes.find((each) => plain(each.path) === path.join("."));
        if (change === undefined) continue;
        total.found[kind] += 1;
        const broken = reads.filter((read) => read.path === change.path);
        if (broken.some(({ at }) => at === `body.${path.join(".")}`)) total.named[kind] += 1;
      }
    }
  }
  return total;
}

/** A mapping that reads each field of a sample, at `body.<the path of the field>`. */
function makeMapping(payload: unknown) {
  const body: Record<string, unknown> = {};
  for (const path of unique(listFieldPaths(payload))) {
    const template = toTemplate(payload, path);
    body[path.join(".")] = `{{ ${template} }}`;
  }
  const { request = null } = actionInputSchema.parse({
    name: "Read every field",
    request: { method: "POST", url: "https://receiver.example/", body },
  });
  return listReads({ filter: null, request, steps: null });
}

/** The name of a field in a template: `payload.items[0]["x y"]`. */
function toTemplate(payload: unknown, path: readonly string[]): string {
  let [value, name] = [payload, "payload"];
  for (const key of path) {
    while (Array.isArray(value)) {
      const at = value.findIndex((item) => listFieldPaths(item).some(([first]) => first === key));
      [value, name] = [value[Math.max(0, at)], `${name}[${Math.max(0, at)}]`];
    }
    name = `${name}[${JSON.stringify(key)}]`;
    value = (value as Record<string, unknown>)[key];
  }
  return name;
}

/** A shape's path without lists and quotes, as `listFieldPaths` has it. */
function plain(path: string): string {
  return path
    .replaceAll("[]", "")
    .replace(/\["([^"]*)"\]/g, ".$1")
    .replace(/^\./, "");
}

function unique(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(paths.map((path) => [path.join("."), path])).values()];
}

let seed = 1;
/** Other bytes each time, and the same ones in each run. */
function randomBytes(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed >> 16;
  });
}

function makePayload(provider: string, eventType: string): unknown {
  const sample = buildSample({ provider, eventType, nowMs: 1_700_000_000_123, randomBytes });
  if (sample === null) throw new Error(`no sample of ${eventType}`);
  if ("form" in sample.content) return sample.content.form;
  if ("xml" in sample.content) {
    const read = readXml(sample.content.xml);
    return read.ok ? read.value : null;
  }
  const parsed = parseExactJson(JSON.stringify(sample.content.json));
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}
