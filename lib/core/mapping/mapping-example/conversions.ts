import { dateFormats, isDateSource } from "./date-formats.ts";
import { isNumeric, type Scalar, toText } from "./scalar.ts";
import type { SourceLeaf } from "./source-leaves.ts";

/** A template that may produce the example's value. It is rendered before it is proposed. */
export type Candidate = {
  readonly template: string;
  /** A description of the conversion, which follows the name of its source. */
  readonly why: string;
  /** The certainty of this kind of match, from 0 to 100, before names are compared. */
  readonly score: number;
};

export type Wanted = {
  readonly value: Scalar;
  readonly text: string;
  /** In a JSON body a number and its text are different. Elsewhere everything is text. */
  readonly isTyped: boolean;
};

/** The conversions that could produce the wanted value from a leaf, judging by the look of both. */
export function listConversions(wanted: Wanted, leaf: SourceLeaf): readonly Candidate[] {
  const { text } = wanted;
  if (text === "" || leaf.text === "") return [];
  if (leaf.text === text) return [toSame(wanted, leaf)];
  return [
    ...listTextConversions(text, leaf),
    ...listAmounts(wanted, leaf),
    ...listDates(wanted, leaf),
  ].map((candidate) => toType(candidate, wanted));
}

function toSame({ value, isTyped }: Wanted, leaf: SourceLeaf): Candidate {
  const { path } = leaf;
  if (!isTyped || typeof value === typeof leaf.value || (isNumeric(value) && isNumeric(leaf.value)))
    return { template: `{{ ${path} }}`, why: "same value", score: 100 };
  if (typeof value === "string")
    return { template: `{{ ${path} | append: "" }}`, why: "same value, as text", score: 95 };
  return { template: `{{ ${path} | plus: 0 }}`, why: "same value, as a number", score: 95 };
}

function listTextConversions(text: string, { path, text: from, value }: SourceLeaf): Candidate[] {
  if (typeof value !== "string" || !isPartOf(text, from)) return [];
  const filters: (readonly [
    filters: string,
    result: string | undefined,
    why: string,
    score: number,
  ])[] = [
    ["strip", from.trim(), "trimmed", 92],
    ["downcase", from.toLowerCase(), "in lower case", 90],
    ["upcase", from.toUpperCase(), "in upper case", 90],
    ["strip | downcase", from.trim().toLowerCase(), "trimmed, in lower case", 88],
    ["downcase | capitalize", capitalize(from), "capitalized", 88],
    ['split: " " | first', from.split(" ")[0], "the first word", 72],
    ['split: " " | last', from.split(" ").at(-1), "the last word", 72],
    ['split: ", " | first', from.split(", ")[0], "up to the comma", 68],
    ['split: ", " | last', from.split(", ").at(-1), "after the comma", 68],
    ['split: "@" | first', from.split("@")[0], "before the @", 66],
    ['split: "@" | last', from.split("@").at(-1), "after the @", 66],
    [
      'split: "?" | first | split: "/" | last',
      from.split("?")[0]?.split("/").at(-1),
      "the last part of the URL",
      74,
    ],
    [
      'split: "<" | last | remove: ">"',
      from.split("<").at(-1)?.replaceAll(">", ""),
      "the address in it",
      80,
    ],
    ['split: "<" | first | strip', from.split("<")[0]?.trim(), "the name before the address", 76],
    ['split: "T" | first', from.split("T")[0], "the day", 70],
    ['split: "_" | last', from.split("_").at(-1), "after the underscore", 60],
    ['split: ":" | last', from.split(":").at(-1), "after the colon", 62],
    ['remove_first: "#"', from.replace("#", ""), "without #", 78],
    ['remove_first: "+"', from.replace("+", ""), "without +", 78],
    ["slugify", slugify(from), "as a slug", 70],
  ];
  return filters.flatMap(([filter, result, why, score]) =>
    result === text ? [{ template: `{{ ${path} | ${filter} }}`, why, score }] : [],
  );
}

/** Each of these conversions leaves something out, or changes the case. */
function isPartOf(text: string, from: string): boolean {
  return text.includes("-") || from.toLowerCase().includes(text.toLowerCase());
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).toLowerCase()}`;
}

function slugify(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

const decimal = /^-?\d+(?:\.\d+)?$/;

/** Minor units, such as cents, and amounts with a decimal point. */
function listAmounts({ text }: Wanted, { path, text: from }: SourceLeaf): Candidate[] {
  if (!decimal.test(text) || !decimal.test(from)) return [];
  const [to, of] = [Number(text), Number(from)];
  if (to === of) return [{ template: `{{ ${path} | plus: 0 }}`, why: "same number", score: 90 }];
  if (isClose(to * 100, of))
    return [{ ...toMajor(path, text), why: "cents as an amount", score: 78 }];
  return isClose(to, of * 100)
    ? [{ template: `{{ ${path} | times: 100 }}`, why: "the amount in cents", score: 76 }]
    : [];
}

function isClose(one: number, other: number): boolean {
  return one !== 0 && Math.abs(one - other) < 1e-6 * Math.abs(one);
}

/** `4200` as `42`, or as `42.00` if the example has two decimals. */
export function toMajor(path: string, text: string): { readonly template: string } {
  return /\.\d0$/.test(text)
    ? {
        template: `{{ ${path} | divided_by: 100 }}.{{ ${path} | modulo: 100 | prepend: "0" | slice: -2, 2 }}`,
      }
    : { template: `{{ ${path} | times: 0.01 }}` };
}

function listDates(
  { text, value, isTyped }: Wanted,
  { path, text: from }: SourceLeaf,
): Candidate[] {
  if (!/\d{4}/.test(text) || !isDateSource(from)) return [];
  return dateFormats.flatMap(({ pattern, filters, isNumber = false }) => {
    if (!pattern.test(text) || (isTyped && isNumeric(value)) !== isNumber) return [];
    return [{ template: `{{ ${path} | ${filters} }}`, why: "the same time", score: 84 }];
  });
}

/** A single output keeps its value's type. Everything else produces text. */
function toType(candidate: Candidate, { value, isTyped }: Wanted): Candidate {
  const isText = typeof value === "string";
  if (!isTyped || !/\| (?:plus|times)[^|}]*\}\}$/.test(candidate.template) || !isText)
    return candidate;
  return { ...candidate, template: candidate.template.replace(/ \}\}$/, ' | append: "" }}') };
}

export function toWanted(value: Scalar, isTyped: boolean): Wanted {
  return { value, text: toText(value), isTyped };
}
