/**
 * Pairs of events about one object, as alike as they can be: they differ in a single place. It is each of the places
 * that the provider's rules read, one after the other, and each of `what-differs.ts`.
 */

import { inBody } from "#lib/core/providers/shapes/places.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import type { SampleContent } from "#lib/core/providers/shapes/sample-event.ts";
import type { BatchRule } from "#lib/core/verify/batch/batch-rule.ts";
import type { IdentitySource } from "#lib/core/verify/dedupe/identify-event.ts";
import {
  type Change,
  change,
  hasValue,
  isSame,
  nameOf,
  type Place,
  toPlace,
} from "./change-content.ts";
import { bodies, whatDiffers } from "./what-differs.ts";

/** A request before it is signed. Some schemes put the id of its message into it. */
type Unsigned = { readonly content: SampleContent; readonly messageId: string };

export type Consecutive = {
  /** The place where the two differ. Null: nothing tells them apart. */
  readonly by: string | null;
  readonly two: readonly [Unsigned, Unsigned];
  /** The first event as the provider may retry it. */
  readonly again: Unsigned;
};

/** Values that identify an event, and if the content does too. */
type Rule = { readonly places: readonly Place[]; readonly isContent: boolean };

const nothing: Rule = { places: [], isContent: false };

/** How the provider sends an event: alone, or in a batch. */
type Form = {
  readonly rules: readonly Rule[];
  /** The path to the event, with a dot at its end. Empty: it is the body. */
  readonly prefix: string;
  readonly types: readonly Place[];
  readonly wrap: (content: SampleContent) => SampleContent;
};

/** A content to change: a sample, or one that is made up. */
type Base = {
  readonly rules: readonly Rule[];
  readonly has: (place: Place) => boolean;
  readonly canSet: (place: Place) => boolean;
  readonly write: (changes: readonly Change[]) => SampleContent;
  /** Values that two events have in common although a rule reads it, if they differ elsewhere. */
  readonly common: readonly Place[];
  /** Values that change with each attempt. */
  readonly excepted: readonly Place[];
  /** A field that no rule names. XML takes none. */
  readonly other: readonly [] | readonly [Place];
};

/** @param samples of the provider. Empty: contents are made up */
export function makeConsecutive(
  provider: Provider,
  samples: readonly SampleContent[],
): readonly Consecutive[] {
  const forms = listForms(provider);
  const madeUp = forms.map((form) => makeUp(provider, form));
  const sampled = samples.map((content) => fromSample(provider, forms, content));
  const given = (bodies[provider.id] ?? []).map((content) => toBase(provider, forms[0], content));
  const known = [...sampled, ...given];
  const byRules = (known.length > 0 ? sampled : madeUp).flatMap(pairByRules);
  const byPlaces = (whatDiffers[provider.id] ?? []).map(toPlace).flatMap((place) => {
    const having = known.filter(({ has }) => has(place));
    const fitting = madeUp.filter(({ canSet }) => canSet(place)).slice(0, 1);
    const bases = having.length > 0 ? having : fitting;
    if (bases.length === 0) throw new Error(`no body of ${provider.id} has ${nameOf(place)}`);
    return bases.map((base) => toPair(base, { places: base.common, isContent: true }, place));
  });
  return [...byRules, ...byPlaces];
}

/** True if the rules alone don't say what tells two events about one object apart, as an id would. */
export function needsLine(provider: Provider): boolean {
  const [first = nothing] = listForms(provider)[0].rules;
  return first.isContent || first.places.length > 1;
}

function pairByRules(base: Base): readonly Consecutive[] {
  const { rules, other } = base;
  return listReached(base).flatMap((rule) => {
    const { places, isContent } = rule;
    if (rule === nothing) return [toPair(base, rule, null)];
    // Of content that counts first, only what-differs.ts knows the fields that matter.
    const fields = isContent && (places.length > 0 || rule !== rules[0]) ? other : [];
    return [...places, ...fields].map((place) => toPair(base, rule, place));
  });
}

function listReached(base: Base): readonly Rule[] {
  return base.rules.filter((rule, at) => isReached(base, rule, base.rules.slice(0, at)));
}

/** True if all its values can be set, and no earlier rule has all of its own then. */
function isReached({ has, canSet }: Base, { places }: Rule, earlier: readonly Rule[]): boolean {
  const isSet = (place: Place) => places.some((each) => isSame(each, place));
  const hasAll = (rule: Rule) => rule.places.every((place) => isSet(place) || has(place));
  return places.every(canSet) && !earlier.some(hasAll);
}

function toPair(
  { write, excepted, other }: Base,
  { places, isContent }: Rule,
  by: Place | null,
): Consecutive {
  const set = (where: readonly Place[], value: string) =>
    where.map((place): Change => [place, value]);
  const at = (value: string, changes: readonly Change[] = []) =>
    write([
      ...set([...excepted, ...places], "one"),
      ...set(by === null ? [] : [by], value),
      ...changes,
    ]);
  const retried = isContent ? excepted : [...excepted, ...other];
  const isId = by !== null && places.includes(by);
  return {
    by: by === null ? null : nameOf(by),
    two: [
      { content: at("one"), messageId: "one" },
      { content: at("other"), messageId: isId ? "other" : "one" },
    ],
    again: { content: at("one", set(retried, "again")), messageId: "one" },
  };
}

function fromSample(provider: Provider, forms: readonly Form[], content: SampleContent): Base {
  const bases = forms.map((form) => toBase(provider, form, content));
  const base = bases.find((each) => listReached(each).length > 0);
  if (base === undefined) throw new Error(`no rule of ${provider.id} identifies a sample`);
  return base;
}

function toBase(provider: Provider, { rules, prefix }: Form, content: SampleContent): Base {
  const has = (place: Place) => hasValue(content, place) || isSigned(provider, place);
  return {
    rules,
    has,
    canSet: has,
    write: (changes) => change(content, changes),
    common: [],
    excepted: listExcepted(provider).filter(has),
    other: "xml" in content ? [] : [inBody(`${prefix}other`)],
  };
}

function makeUp(provider: Provider, { rules, prefix, types, wrap }: Form): Base {
  const object = inBody(`${prefix}object.id`);
  const always = [...types, object].map((place): Change => [place, "example.object.updated"]);
  return {
    rules,
    has: (place) => types.some((type) => isSame(type, place)) || isSigned(provider, place),
    canSet: (place) => canHold(provider, prefix, place),
    write: (changes) => wrap(change({ json: undefined }, [...always, ...changes])),
    common: rules.flatMap(({ places }) => places),
    excepted: listExcepted(provider),
    other: [inBody(`${prefix}other`)],
  };
}

/** A list takes no other fields. An id beside the one that is signed would be another. */
function canHold(provider: Provider, prefix: string, place: Place): boolean {
  if (place.from === "body") return prefix !== "0." || place.path.startsWith(prefix);
  return isSigned(provider, place) || signedHeaders(provider).length === 0;
}

/** True if signing may make the header, such as the id of the message. */
function isSigned(provider: Provider, place: Place): boolean {
  if (place.from === "body") return false;
  const { scheme } = provider;
  return scheme.kind === "code" || signedHeaders(provider).includes(place.name);
}

function signedHeaders({ scheme }: Provider): readonly string[] {
  const values = "signed" in scheme ? Object.values(scheme.signed.values ?? {}) : [];
  return values.flatMap((value) => (value.from === "header" ? [value.name] : []));
}

function listForms(provider: Provider): readonly [Form, ...Form[]] {
  const { eventId, eventType, batch } = provider;
  const rules = eventId.length === 0 ? [nothing] : eventId.map(toRule);
  const alone: Form = {
    rules,
    prefix: "",
    types: toPlaces(eventType.slice(0, 1)),
    wrap: (content) => content,
  };
  if (batch === undefined) return [alone];
  const inBatch = toBatchForm(provider, batch, rules);
  if (batch.list.from !== "body" || eventId.length === 0) return [inBatch];
  const types = alone.types.filter((place) => !nameOf(place).startsWith(inBatch.prefix));
  return [inBatch, { ...alone, types }];
}

function toBatchForm({ scheme }: Provider, batch: BatchRule, rules: readonly Rule[]): Form {
  const { list, except, eventId, eventType, otherwise } = batch;
  const prefix = prefixOf(batch);
  const at = (path: string) => inBody(`${prefix}${path}`);
  const ids = eventId.map((paths) => ({ places: paths.map(at), isContent: except !== undefined }));
  const byPlace = rules.filter(({ places }) => places.every(({ from }) => from === "header"));
  const content = ids.length === 0 ? [{ places: [], isContent: true }] : [];
  return {
    rules: [...ids, ...(otherwise === "place" ? byPlace : content)],
    prefix,
    types: (eventType[0] ?? []).map(at),
    // Code that signs puts an event into its form itself.
    wrap: (made) => (scheme.kind === "code" && list.from === "form" ? made : wrap(batch, made)),
  };
}

function prefixOf({ list, isOne, isListOrOne }: BatchRule): string {
  if (list.from !== "body") return "";
  const steps = [list.path, isOne || isListOrOne ? "" : "0"].filter((step) => step !== "");
  return steps.map((step) => `${step}.`).join("");
}

function wrap({ list, isOne }: BatchRule, { headers = {}, ...made }: SampleContent): SampleContent {
  const { json } = made as { json: unknown };
  if (list.from === "form")
    return { headers, form: { [list.name]: JSON.stringify(isOne ? json : [json]) } };
  const isText = list.from === "token" && list.claim !== undefined;
  return { headers, json: isText ? { [list.claim ?? ""]: JSON.stringify(json) } : json };
}

function toRule(source: IdentitySource): Rule {
  const parts = source.from === "all" ? source.of : [source];
  const isContent = parts.some(({ from }) => from === "content" || from === "request");
  return { places: toPlaces(parts), isContent };
}

function toPlaces(parts: readonly { readonly from: string }[]): readonly Place[] {
  return parts.filter((part): part is Place => part.from === "body" || part.from === "header");
}

function listExcepted({ eventId, batch }: Provider): readonly Place[] {
  const parts = eventId.flatMap((source) => (source.from === "all" ? source.of : [source]));
  const paths = parts.flatMap((part) => (part.from === "content" ? (part.except ?? []) : []));
  const ofItems = batch?.except?.map((path) => `${prefixOf(batch)}${path}`) ?? [];
  return [...paths, ...ofItems].map(inBody);
}
