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
 * Runs a service for the signed-in user, from a page of ours. Errors that the user can fix come back
 * by field.
 */
export async function askService<Schema extends z.ZodType, Value>(
  service: Service<Schema, Value>,
  input: z.input<Schema>,
): Promise<CommandResult<Value>> {
  return await runService(service, () => input);
}

/** The same for a reader of a page, which shapes what services return. They parse its input. */
export async function askReader<Input, Value>(
  read: (context: ServiceContext, input: Input) => Promise<Value>,
  input: Input,
): Promise<CommandResult<Value>> {
  return await respondToCommand(async () => read(await pageContext(), input));
}

/**
 * Runs a service for a change, after which every open page is read again. `show` picks what the
 * page needs of the result.
 */
export async function changeByService<Schema extends z.ZodType, Value, Shown>(
  service: Service<Schema, Value>,
  input: z.input<Schema>,
  show: (value: Value) => Shown,
): Promise<CommandResult<Shown>> {
  return afterChange(await askService(service, input), show);
}

/** An input that a form writes as JSON, because its numbers may have more digits than JavaScript's. */
type JsonInput = {
  readonly json: string;
  /** Fields that the JSON doesn't have. */
  readonly fields?: Readonly<Record<string, unknown>>;
};

/** Runs `askService` with an input in JSON. */
export async function askByJson<Schema extends z.ZodType, Value>(
  service: Service<Schema, Value>,
  { json, fields }: JsonInput,
): Promise<CommandResult<Value>> {
  // The service parses its input, whatever it is.
  const read = () => ({ ...parseInput(jsonObject, json), ...fields }) as z.input<Schema>;
  return await runService(service, read);
}

/** Runs `changeByService` with an input in JSON. */
export async function changeByJson<Schema extends z.ZodType, Value, Shown>(
  service: Service<Schema, Value>,
  input: JsonInput,
  show: (value: Value) => Shown,
): Promise<CommandResult<Shown>> {
  return afterChange(await askByJson(service, input), show);
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

async function runService<Schema extends z.ZodType, Value>(
  service: Service<Schema, Value>,
  readInput: () => z.input<Schema>,
): Promise<CommandResult<Value>> {
  return await respondToCommand(async () => {
    const session = await requireSession();
    const context = userContext(session, readRequestOrigin(await headers()));
    return await service(context, readInput());
  });
}

/**
 * Runs a command of a page that has typed text. Without a session the page gets an error instead of
 * the sign-in page, which would replace it.
 */
export async function stayOnPage<Value>(
  run: () => Promise<CommandResult<Value>>,
): Promise<CommandResult<Value>> {
  if ((await readSession()) !== null) return await run();
  return reject("Your session has ended. Sign in again in another tab, then try again here.");
}

function afterChange<Value, Shown>(
  result: CommandResult<Value>,
  show: (value: Value) => Shown,
): CommandResult<Shown> {
  if (!result.ok) return result;
  revalidatePath("/", "layout");
  return { ok: true, value: show(result.value) };
}

/** The result for a page that needs nothing but the success. */
export const nothing = (): null => null;
