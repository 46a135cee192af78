import { missingGlobals } from "./missing-globals.ts";

/** A name that the editor offers in a transform. */
export type BuiltIn = {
  readonly name: string;
  /** `method`: of a value, behind a dot. `not here`: transforms don't have it. */
  readonly kind: "function" | "method" | "not here";
  /** Its effect, or the way out if it is not here. */
  readonly does: string;
};

const functions: readonly (readonly [name: string, does: string])[] = [
  ["Number", "Rounds a long number"],
  ["BigInt", "Calculates with whole numbers of any length"],
  ["String", "As text, with every digit"],
  ["JSON.parse", "Reads JSON. Long numbers are rounded"],
  ["JSON.stringify", "Writes JSON, with every digit"],
  ["Object.entries", "Names and values of an object"],
  ["Object.fromEntries", "An object of names and values"],
  ["Object.groupBy", "Items of a list in groups"],
  ["Array.isArray", "True for a list"],
  ["Date.now", "The time of the delivery, in milliseconds"],
  ["Date.parse", "The milliseconds of a time in ISO 8601"],
  ["atob", "Decodes base64"],
  ["btoa", "Encodes as base64"],
  ["encodeURIComponent", "Escapes text for a URL"],
  ["decodeURIComponent", "Removes the escapes of a URL"],
];

const methods: readonly (readonly [name: string, does: string])[] = [
  ["toLocaleString", "A number or time in a locale, such as de-DE"],
  ["toLocaleDateString", "A date in a locale and time zone"],
  ["toLocaleTimeString", "A time of day in a locale and time zone"],
  ["toLocaleUpperCase", "Capitals of a locale"],
  ["toLocaleLowerCase", "Lowercase of a locale"],
  ["localeCompare", "Sorts text by a locale"],
  ["toISOString", "A time as text, in UTC"],
];

/** Names that a transform has or lacks. A test compares them with its realm. */
export const builtIns: readonly BuiltIn[] = [
  ...functions.map(([name, does]) => ({ name, kind: "function" as const, does })),
  ...methods.map(([name, does]) => ({ name, kind: "method" as const, does })),
  ...Object.entries(missingGlobals).map(([name, does]) => ({
    name,
    kind: "not here" as const,
    does,
  })),
];
