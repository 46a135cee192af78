import { z } from "zod";
import { type AllowList, parseCidrList } from "#lib/core/sending/address/allow-list.ts";

/** The roles that `npm start` runs, each in a process of its own. */
export const roles = ["web", "catch", "worker"] as const;
export type Role = (typeof roles)[number];

/** A row of the table: one environment variable. */
export type Setting = {
  readonly name: string;
  /** From its text, or undefined, to its value. An error is the end of a sentence that says what to change. */
  readonly value: z.ZodType;
  /** For `.env.example` and the docs. Markdown, whose links start in `docs/`. */
  readonly doc: string;
  /** The words of the docs for the default, where `value` has none. */
  readonly unset?: string;
  /** It can be read from a file: `<name>_FILE`. */
  readonly isSecret?: true;
};

/** Settings by the names that they have in the code. */
export type Settings = Readonly<Record<string, Setting>>;

export type Values<S extends Settings> = { readonly [K in keyof S]: z.output<S[K]["value"]> };

/** Settings that belong together. */
export type Group<S extends Settings = Settings> = {
  /** Where more than one row needs it. */
  readonly about?: string;
  /** The processes that get them. Undefined: all. The supervisor has every setting. */
  readonly roles?: readonly Role[];
  readonly settings: S;
  /** The conflict between values that are each valid: the end of a sentence for each setting to change. */
  check?(values: Values<S>): { readonly [K in keyof S]?: string | false };
};

export function setting<V extends z.ZodType>(
  name: string,
  value: V,
  doc: string,
  more: Pick<Setting, "unset" | "isSecret"> = {},
) {
  return { name, value, doc, ...more };
}

export function defineGroup<S extends Settings>(group: Group<S>): Group<S> {
  return group;
}

/** The values with these keys set. Undefined if one of them is missing, because the rest is of no use without. */
export function ifSet<V extends object, K extends keyof V>(values: V, ...keys: readonly K[]) {
  type Whole = Omit<V, K> & { readonly [P in K]: NonNullable<V[P]> };
  return keys.every((key) => values[key] !== undefined) ? (values as unknown as Whole) : undefined;
}

export function text(pattern: RegExp, message: string) {
  return z.string().regex(pattern, message);
}

/** @param read returns the value, or the end of a sentence that says what to change. */
export function readBy<T extends object>(read: (text: string) => T | string) {
  return z.string().transform((text, context): T => {
    const value = read(text);
    if (typeof value !== "string") return value;
    context.addIssue({ code: "custom", message: value });
    return z.NEVER;
  });
}

export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

export function oneOf<const T extends readonly string[]>(choices: T) {
  const list = choices.length === 2 ? choices.join(" or ") : `one of ${choices.join(", ")}`;
  return z.enum(choices, `must be ${list}`);
}

export const flag = oneOf(["true", "false"]).transform((text) => text === "true");

/** Uses the parser of the address guard, so that both agree. */
export const networkList = readBy((text): AllowList | string => {
  const parsed = parseCidrList(text);
  return parsed.ok ? parsed.cidrs : `is invalid: ${parsed.message}`;
});

const maxPlainNetworks = 100;

/** Addresses and networks without ports, as they were entered. */
export const plainNetworkList = readBy((text): readonly string[] | string => {
  const parsed = parseCidrList(text);
  if (!parsed.ok) return `is invalid: ${parsed.message}`;
  if (parsed.cidrs.some(({ port }) => port !== null)) return "must have no ports";
  if (parsed.cidrs.length > maxPlainNetworks)
    return `must have at most ${maxPlainNetworks} addresses and networks`;
  return text.split(/[\s,]+/).filter((entry) => entry !== "");
});

export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return (
    (url?.protocol === "http:" || url?.protocol === "https:") &&
    `${url.pathname}${url.search}${url.hash}${url.username}${url.password}` === "/"
  );
}
