/** The files of a configuration as one, with the line of each item. */
import { type Document, isMap, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { configurationFormat } from "#lib/schema/configuration.ts";
import type { ConfigurationFile } from "#lib/schema/configuration-plan.ts";
import { jsonNumbersOnly } from "./exact-yaml.ts";
import { isObject, type Json, nameSubscription } from "./item-names.ts";

/** Where something is, such as `hooks.yaml:12`, by its path in the whole, such as `hooks.3.actions.0`. */
export type Places = Readonly<Record<string, string>>;
type FileProblem = { readonly at: string; readonly message: string };

export type ReadFiles =
  /** `json` has every digit. */
  | { readonly ok: true; readonly json: string; readonly places: Places }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

type Whole = {
  readonly values: Map<string, unknown>;
  readonly places: Map<string, string>;
  /** The place of each item by its kind and name. */
  readonly seen: Map<string, string>;
  readonly problems: FileProblem[];
};

/** Reads YAML or JSON. No problem repeats what a file says: it may be a secret. */
export function readFiles(files: readonly ConfigurationFile[]): ReadFiles {
  const whole: Whole = { values: new Map(), places: new Map(), seen: new Map(), problems: [] };
  for (const file of files) readFile(whole, file);
  const { values, places, problems } = whole;
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, maxProblems) };
  const json = stringifyExactJson(Object.fromEntries(values));
  if (!json.ok)
    return { ok: false, problems: [{ at: files[0]?.path ?? "", message: json.message }] };
  return { ok: true, json: json.text, places: Object.fromEntries(places) };
}

const maxProblems = 50;

type Parsed = {
  readonly document: Document;
  readonly value: unknown;
  readonly lineOf: (node: unknown) => number;
};

function readFile(whole: Whole, file: ConfigurationFile): void {
  const { path } = file;
  const parsed = parseFile(file);
  if ("at" in parsed) {
    whole.problems.push(parsed);
    return;
  }
  const { document, value, lineOf } = parsed;
  if (!isObject(value) || !isMap(document.contents)) {
    const message = value === null ? "is empty" : "must be an object with format and lists";
    whole.problems.push({ at: `${path}:1`, message });
    return;
  }
  if (value.format !== configurationFormat)
    whole.problems.push({
      at: `${path}:1`,
      message: `needs the line format: ${configurationFormat}`,
    });
  for (const [key, part] of Object.entries(value)) {
    const node = document.get(key, true);
    const pair = document.contents.items.find((each) => String(each.key) === key);
    addPart(whole, {
      key,
      part,
      node,
      at: `${path}:${lineOf(pair?.key)}`,
      placeOf: (each) => `${path}:${lineOf(each)}`,
    });
  }
}

function parseFile({ path, text }: ConfigurationFile): Parsed | FileProblem {
  const lines = new LineCounter();
  const lineAt = (position: number) => Math.max(lines.linePos(position).line, 1);
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: "silent",
      customTags: jsonNumbersOnly,
    });
    const [error] = document.errors;
    if (error !== undefined)
      return { at: `${path}:${lineAt(error.pos[0])}`, message: describeCode(error.code) };
    const lineOf = (node: unknown) => lineAt((node as Node | undefined)?.range?.[0] ?? 0);
    return { document, value: document.toJS({ maxAliasCount: 100 }), lineOf };
  } catch {
    // Deeper than the stack, an alias without an anchor, or more aliases than anyone writes.
    return {
      at: `${path}:1`,
      message: "is nested too deeply, or has an alias that can't be followed",
    };
  }
}

const codes: Readonly<Record<string, string>> = {
  BAD_INDENT: "is indented differently than the lines before",
  DUPLICATE_KEY: "has a field that the same object has already",
  MULTIPLE_DOCS: "begins a second document: use a file for each",
  TAB_AS_INDENT: "is indented with a tab: use spaces",
};

function describeCode(code: string): string {
  const words = code.toLowerCase().replaceAll("_", " ");
  return codes[code] ?? `isn't valid YAML (${words})`;
}

type Part = {
  readonly key: string;
  readonly part: unknown;
  readonly node: unknown;
  readonly at: string;
  readonly placeOf: (node: unknown) => string;
};

function addPart(
  { values, places, seen, problems }: Whole,
  { key, part, node, at, placeOf }: Part,
): void {
  const known = values.get(key);
  if (key === "format") {
    values.set(key, part);
  } else if (key === "managedBy" && known === part) {
    // Several files may say it.
  } else if (
    kinds[key] !== undefined &&
    Array.isArray(part) &&
    (known === undefined || Array.isArray(known))
  ) {
    const before: readonly unknown[] = known ?? [];
    values.set(key, [...before, ...part]);
    if (!places.has(key)) places.set(key, at);
    addItems(
      { places, seen, problems },
      { path: key, key, scope: "", first: before.length, part, node, placeOf },
    );
  } else if (values.has(key)) {
    const message = `has ${key}, which ${places.get(key)} has too`;
    problems.push({ at, message });
  } else {
    values.set(key, part);
    places.set(key, at);
  }
}

type Items = {
  readonly path: string;
  readonly key: string;
  /** The hook of actions, whose names only count there. */
  readonly scope: string;
  readonly first: number;
  readonly part: readonly unknown[];
  readonly node: unknown;
  readonly placeOf: (node: unknown) => string;
};

function addItems(
  whole: Omit<Whole, "values">,
  { path, key, scope, first, part, node, placeOf }: Items,
): void {
  const nodes = isSeq(node) ? node.items : [];
  for (const [index, item] of part.entries()) {
    const at = placeOf(nodes[index]);
    const itemPath = `${path}.${first + index}`;
    whole.places.set(itemPath, at);
    const name = isObject(item) ? kinds[key]?.nameOf(item) : undefined;
    if (!isObject(item) || name === undefined) continue;
    const what = `${scope}${kinds[key]?.what} ${JSON.stringify(name)}`;
    const known = whole.seen.get(what);
    if (known === undefined) whole.seen.set(what, at);
    else whole.problems.push({ at, message: `${what} is also at ${known}: ${kinds[key]?.advice}` });
    if (key !== "hooks" || !Array.isArray(item.actions)) continue;
    const mapped = nodes[index];
    const actions = isMap(mapped) ? mapped.get("actions", true) : undefined;
    const inHook = { path: `${itemPath}.actions`, key: "actions", scope: `${what}, `, first: 0 };
    addItems(whole, { ...inHook, part: item.actions, node: actions, placeOf });
  }
}

type KindOfItem = {
  readonly what: string;
  readonly nameOf: (item: Json) => string | undefined;
  readonly advice: string;
};

const rename = "give one another name, or number: 2 if both exist";
const byName = (what: string, advice = rename): KindOfItem => ({
  what,
  nameOf: (item) => numbered(item, item.name),
  advice,
});

const kinds: Readonly<Record<string, KindOfItem | undefined>> = {
  credentials: byName("credential"),
  destinations: byName("destination"),
  hooks: byName("hook"),
  actions: byName("action"),
  eventTypes: byName("event type", "remove one"),
  recipients: { what: "recipient", nameOf: ({ id }) => numbered({}, id), advice: "remove one" },
  subscriptions: {
    what: "subscription",
    nameOf: (item) => {
      const { recipient = null, receiverUrl } = item;
      if (typeof receiverUrl !== "string") return undefined;
      if (recipient !== null && typeof recipient !== "string") return undefined;
      return numbered(item, nameSubscription({ recipient, receiverUrl }));
    },
    advice: "remove one, or give it number: 2 if both exist",
  },
  alertChannels: byName("alert channel"),
  alertRules: {
    what: "alert rule",
    nameOf: (item) => numbered(item, item.kind),
    advice: "remove one, or give it number: 2 if both exist",
  },
};

function numbered({ number }: Json, name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  return typeof number === "number" ? `${name} #${number}` : name;
}
