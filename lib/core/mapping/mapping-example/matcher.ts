import type { MappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import { renderString } from "#lib/core/mapping/template/render-template.ts";
import { addStepNames } from "#lib/core/mapping/template/step-context.ts";
import { valueToText } from "#lib/core/mapping/template/value-to-text.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { type Candidate, listConversions, toWanted, type Wanted } from "./conversions.ts";
import { embedValues, listDistinct } from "./embedded-values.ts";
import type { ExampleField } from "./example-request.ts";
import { compareNames, splitName } from "./name-similarity.ts";
import type { FieldProposal } from "./proposal.ts";
import { classOf, listSimilar } from "./similar-values.ts";
import { listSource, type SourceLeaf } from "./source-leaves.ts";

type Ranked = Candidate & { readonly rank: number; readonly leaf: SourceLeaf };

/** Names less alike than this say nothing about each other. */
const minAlike = 0.45;
/** The minimum for common values, such as `1` and `true`. */
const minAlikeOfCommon = 0.3;
/** The limit is larger than any form. Other fields keep the example's value. */
const maxFields = 500;
/** The limit for an item, which is compared with the items of several lists. */
const maxItemFields = 60;
/** Rendering is expensive, so only the best candidates are tried. */
const maxTried = 6;

/** Finds the value of a delivery for a field of an example. */
export class Matcher {
  readonly #leaves: readonly SourceLeaf[];
  readonly #distinct: readonly SourceLeaf[];
  readonly #context: MappingContext;
  readonly #nowMs: number;

  readonly #budget: { fields: number };

  constructor(
    leaves: readonly SourceLeaf[],
    context: MappingContext,
    nowMs: number,
    budget = { fields: maxFields },
  ) {
    this.#budget = budget;
    this.#leaves = leaves;
    this.#distinct = listDistinct(leaves);
    this.#context = context;
    this.#nowMs = nowMs;
  }

  /** A matcher for the fields of a list item, which it tries before the rest of the delivery. */
  within(item: JsonValue, names: readonly string[]): Matcher {
    const own = listSource("item", item).leaves.map((leaf) => ({
      ...leaf,
      names: [...names, ...leaf.names],
    }));
    const context = addStepNames(this.#context, { steps: {}, item, index: 0 });
    return new Matcher([...own, ...this.#leaves], context, this.#nowMs, { fields: maxItemFields });
  }

  propose(field: ExampleField): FieldProposal {
    const wanted = toWanted(field.value, field.isTyped);
    this.#budget.fields -= 1;
    if (this.#budget.fields < 0) return leave(field.path, wanted, "the example is too large");
    const found =
      this.#findEqual(field, wanted) ??
      this.#findEmbedded(field, wanted) ??
      this.#findSimilar(field, wanted);
    if (found !== undefined) return { path: field.path, literal: wanted.text, ...found };
    return leave(field.path, wanted, "not found in this delivery");
  }

  /** Undefined: the template can't be rendered for this delivery. */
  render(template: string): unknown {
    const rendered = renderString(template, { context: this.#context, nowMs: this.#nowMs });
    return rendered.ok ? rendered.value : undefined;
  }

  #findEqual({ names }: ExampleField, wanted: Wanted): Found | undefined {
    const isCommon = isCommonValue(wanted);
    const ranked = this.#leaves.flatMap((leaf) => {
      const candidates = listConversions(wanted, leaf);
      if (candidates.length === 0) return [];
      const alike = compareNames(names, leaf.names);
      if (isCommon && alike < minAlikeOfCommon) return [];
      return candidates.map((candidate) => rank(candidate, leaf, alike));
    });
    for (const { template, why, score, leaf } of best(ranked)) {
      const value = this.render(template);
      if (value === undefined || !isSame(value, wanted)) continue;
      const confidence = score === 100 ? "same" : "converted";
      return { template, value: toShown(value), why: `${leaf.path}: ${why}`, confidence };
    }
    return undefined;
  }

  #findEmbedded({ path }: ExampleField, wanted: Wanted): Found | undefined {
    if (typeof wanted.value !== "string" || wanted.text.length < 5) return undefined;
    // The host of a URL is never a template.
    const fixed = path === "url" ? (/^https?:\/\/[^/?#]*/i.exec(wanted.text)?.[0] ?? "") : "";
    const embedded = embedValues(wanted.text.slice(fixed.length), this.#distinct);
    if (embedded === null) return undefined;
    const template = fixed + embedded;
    const value = this.render(template);
    if (value === undefined || !isSame(value, wanted)) return undefined;
    return {
      template,
      value: toShown(value),
      why: "values of the delivery in it",
      confidence: "converted",
    };
  }

  #findSimilar({ path, names }: ExampleField, wanted: Wanted): Found | undefined {
    if (path === "url" || wanted.text === "") return undefined;
    const whole = toWholeName(names);
    const ranked = this.#leaves.flatMap((leaf) => {
      const alike = leaf.text === "" ? 0 : compareWithWhole(names, whole, leaf.names);
      if (alike < minAlike) return [];
      return listSimilar(wanted, names, leaf).map((candidate) => rank(candidate, leaf, alike));
    });
    for (const { template, why, leaf } of best(ranked)) {
      const value = this.render(template);
      if (
        value === undefined ||
        typeof value === "object" ||
        classOf(String(value)) !== classOf(wanted.text)
      )
        continue;
      return {
        template,
        value: toShown(value),
        why: `${leaf.path}: similar name, ${why}`,
        confidence: "similar",
      };
    }
    return undefined;
  }
}

/** Null: not a part of a name. */
function toWholeName(names: readonly string[]): readonly string[] | null {
  const isPart = splitName(names.at(-1) ?? "").some((word) => /^(?:first|last)name$/.test(word));
  return isPart ? [...names.slice(0, -1), "name"] : null;
}

/** Compares a part of a name with a field that may contain the whole name. */
function compareWithWhole(
  names: readonly string[],
  whole: readonly string[] | null,
  others: readonly string[],
): number {
  const alike = compareNames(names, others);
  if (whole === null) return alike;
  return Math.max(alike, compareNames(whole, others) * 0.9);
}

function leave(path: string, { text }: Wanted, why: string): FieldProposal {
  return { path, literal: text, template: null, value: null, why, confidence: "none" };
}

type Found = Omit<FieldProposal, "path" | "literal">;

function rank(candidate: Candidate, leaf: SourceLeaf, alike: number): Ranked {
  const isOwn = leaf.path.startsWith("item") ? 8 : 0;
  return { ...candidate, leaf, rank: candidate.score + alike * 30 + isOwn - leaf.path.length / 20 };
}

function best(ranked: readonly Ranked[]): readonly Ranked[] {
  return ranked.toSorted((a, b) => b.rank - a.rank).slice(0, maxTried);
}

/** In a JSON body the type must be the same too. */
function isSame(value: unknown, { text, value: wanted, isTyped }: Wanted): boolean {
  if (toShown(value) !== text) return false;
  return !isTyped || (typeof value === "string") === (typeof wanted === "string");
}

function toShown(value: unknown): string {
  return valueToText(value);
}

/** True if a value is so common that equal values are probably a coincidence. */
function isCommonValue({ value, text }: Wanted): boolean {
  if (typeof value === "boolean" || value === null) return true;
  return typeof value === "string" ? text.length < 3 : text.replace(/\D/g, "").length < 3;
}
