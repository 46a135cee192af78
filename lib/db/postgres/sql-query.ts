import type { ArgType, SqlQuery } from "@prisma/driver-adapter-utils";
import { Prisma } from "#lib/db/generated/client.ts";

/** A statement for Prisma's adapter, from the arguments of `$queryRaw` and `$executeRaw`. */
export function toSqlQuery(
  query: TemplateStringsArray | Prisma.Sql,
  values: readonly unknown[],
): SqlQuery {
  if (query instanceof Prisma.Sql) return toQuery(query.text, query.values);
  if (values.some((value) => value instanceof Prisma.Sql)) {
    const { text, values: flat } = new Prisma.Sql(query, values);
    return toQuery(text, flat);
  }
  return toQuery(readText(query), values);
}

/** One text per place in the code: the driver identifies its prepared statement by it. */
const texts = new WeakMap<TemplateStringsArray, string>();

function readText(strings: TemplateStringsArray): string {
  const known = texts.get(strings);
  if (known !== undefined) return known;
  const text = strings.reduce((before, part, index) => `${before}$${index}${part}`);
  texts.set(strings, text);
  return text;
}

function toQuery(sql: string, values: readonly unknown[]): SqlQuery {
  return {
    sql,
    args: [...values],
    argTypes: values.map((value) => (Array.isArray(value) ? list : scalar)),
  };
}

// PostgreSQL decides the type of a parameter. Each of ours has its type next to it
// (`${ids}::uuid[]`).
const scalar: ArgType = { scalarType: "unknown", arity: "scalar" };
const list: ArgType = { scalarType: "unknown", arity: "list" };

/** A statement that is completed before it runs. */
export type Captured = {
  readonly strings: TemplateStringsArray;
  readonly values: readonly unknown[];
};

export function capture(strings: TemplateStringsArray, ...values: unknown[]): Captured {
  return { strings, values };
}

/** One text per place in the code: the driver identifies its prepared statement by it. */
const complete = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** The statement's texts with an end that has no values, and is always the same. */
export function withEnd(strings: TemplateStringsArray, end: string): TemplateStringsArray {
  const known = complete.get(strings);
  if (known !== undefined) return known;
  const whole = strings.map((part, at) => (at === strings.length - 1 ? part + end : part));
  const made = Object.assign(whole, { raw: whole });
  complete.set(strings, made);
  return made;
}
