import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { parseInput } from "#lib/core/api/parse-input.ts";
import { maxJsonDepth, parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { brokenRule, type CommandResult, reject } from "#lib/schema/field/command-result.ts";
import type { Service, ServiceContext } from "#lib/services/frame/service.ts";
import { readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { respondToCommand } from "./form-command.ts";
import { pageContext, userContext } from "./page-context.ts";
import { readSession, requireSession } from "./session.ts";

/**
 * The meaning of an argument of a command: a field of the service's input, the other fields as an object
 * (`...`), or what a function reads several fields from, such as `form` and `json`.
 */
export type Part<Input> = (keyof Input & string) | "..." | ((given: never) => object);

export type Arguments<Input, Parts extends readonly unknown[]> = {
  -readonly [At in keyof Parts]: Parts[At] extends (given: infer Given) => object
    ? Given
    : Parts[At] extends "..."
      ? Listed<Omit<Input, Parts[number] & string>>
      : Parts[At] extends keyof Input
        ? List<Input[Parts[At]]>
        : never;
};

/** Schemas take arrays that may change, which they never do. */
type List<Field> = Field extends (infer Item)[] ? readonly Item[] : Field;
type Listed<Fields> = { readonly [Name in keyof Fields]: List<Fields[Name]> };

/** A server function of a page. */
export type Command<Args extends readonly unknown[], Value> = (
  ...args: Args
) => Promise<CommandResult<Value>>;

/**
 * Makes a command of a service that reads, for the signed-in user. Errors that the user can fix come
 * back by field. Where arguments have the same field, the first one counts. `show` picks what the
 * page needs of the result. Default: everything.
 */
export function ask<
  Schema extends z.ZodType,
  Value,
  const Parts extends readonly Part<z.input<Schema>>[],
  Shown = Value,
>(
  service: Service<Schema, Value>,
  parts: Parts,
  show: (value: Value, input: z.input<Schema>) => Shown = (value) => value as unknown as Shown,
): Command<Arguments<z.input<Schema>, Parts>, Shown> {
  return (...args) =>
    respondToCommand(async () => {
      const session = await requireSession();
      const context = userContext(session, readRequestOrigin(await headers()));
      const input = (await readArguments(parts, args)) as z.input<Schema>;
      return show(await service(context, input), input);
    });
}

/**
 * Makes a command of a service that changes something, after which every open page is read again.
 * Default for `show`: nothing but the success.
 */
export function change<
  Schema extends z.ZodType,
  Value,
  const Parts extends readonly Part<z.input<Schema>>[],
  Shown = null,
>(
  service: Service<Schema, Value>,
  parts: Parts,
  show: (value: Value, input: z.input<Schema>) => Shown = () => null as Shown,
): Command<Arguments<z.input<Schema>, Parts>, Shown> {
  const run = ask(service, parts, show);
  return async (...args) => {
    const result = await run(...args);
    if (result.ok) revalidatePath("/", "layout");
    return result;
  };
}

/** Makes a command of a page's reader, which shapes what services return. They parse its input. */
export function askReader<Input, Value>(
  read: (context: ServiceContext, input: Input) => Promise<Value>,
): Command<[Input], Value> {
  return (input) => respondToCommand(async () => read(await pageContext(), input));
}

/**
 * The same command for a page that has typed text. Without a session the page gets an error instead
 * of the sign-in page, which would replace it.
 */
export function stay<Args extends readonly unknown[], Value>(
  command: Command<Args, Value>,
): Command<Args, Value> {
  return async (...args) => {
    if ((await readSession()) !== null) return await command(...args);
    return reject("Your session has ended. Sign in again in another tab, then try again here.");
  };
}

/** The fields of a form, whatever they are: the service parses them. */
export function form(given: object): object {
  return parseInput(z.looseObject({}), given);
}

/** The fields of a form that writes JSON, because its numbers may have more digits than JavaScript's. */
export function json(text: string): object {
  return parseInput(jsonObject, text);
}

/** The input that a command's arguments are. */
export async function readArguments(
  parts: readonly unknown[],
  args: readonly unknown[],
): Promise<object> {
  const read = parts.map((part, at): object | Promise<object> => {
    const given = args[at];
    if (typeof part === "function") return part(given);
    return part === "..." ? form(given as object) : { [String(part)]: given };
  });
  const fields = await Promise.all(read);
  return Object.fromEntries(fields.toReversed().flatMap((part) => Object.entries(part)));
}

/** A value of at most `maxJsonDepth` levels still fits in an input's own fields. */
const maxDepth = maxJsonDepth + 16;

/** JSON text in the API's format, whose numbers keep their digits. `schema` parses the value. */
function exactJson<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, ctx): unknown => {
      const parsed = parseExactJson(text, maxDepth);
      if (parsed.ok) return parsed.value;
      ctx.addIssue({ code: "custom", ...brokenRule("invalid_json", parsed.message) });
      return z.NEVER;
    })
    .pipe(schema);
}

const jsonObject = exactJson(z.looseObject({}));
