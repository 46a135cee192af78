import { missingGlobals } from "#lib/core/mapping/transform/missing-globals.ts";
import type { TransformErrorCode } from "#lib/core/mapping/transform/transform.ts";
import { failTransform, type TransformError } from "#lib/core/mapping/transform/transform.ts";

/** The name of the user's code in stacks. */
export const sourceName = "transform.js";

/** The realm's `describe` of a thrown value. */
type Thrown = {
  readonly code?: TransformErrorCode;
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
};

type ThrownFrom = { readonly isTooSlow: boolean; readonly source: string };

/** @param description null: describing it failed too */
export function readThrown(description: string | null, from: ThrownFrom): TransformError {
  const { code, name, message, stack }: Thrown =
    description === null ? { message: "" } : JSON.parse(description);
  const place = findPlace(stack ?? "", from.source);
  if (from.isTooSlow) return failTransform("too_slow", tooSlow, place);
  if (description === null) return failTransform("threw", unreadable);
  if (code !== undefined) return failTransform(code, `${message}.`, place);
  if (name === undefined) return failTransform("threw", `The code ${message}.`);
  // An error that the code itself causes, as with JSON.parse, has the caller in its stack.
  if (name === "SyntaxError" && /^\s*at transform\.js:\d+:\d+\s*$/.test(stack ?? ""))
    return failTransform("syntax_error", `${message}.`, place);
  if (name === "InternalError" && message === "out of memory")
    return failTransform("out_of_memory", outOfMemory, place);
  if (name === "InternalError" && message === "stack overflow")
    return failTransform("stack_overflow", stackOverflow, place);
  if (name === "ReferenceError" && message.startsWith("could not load module"))
    return failTransform("threw", noImports, place);
  const advice = name === "ReferenceError" ? adviseOn(message) : "";
  return failTransform("threw", `${name}: ${message}${advice}`, place);
}

/** Substitutes for names that other environments have. */
function adviseOn(message: string): string {
  const name = /^'?(\w+)'? is not defined$/.exec(message)?.[1] ?? "";
  const advice = Object.hasOwn(missingGlobals, name) ? missingGlobals[name] : undefined;
  return advice === undefined ? "" : `, because transforms don't have it. ${advice}.`;
}

export const tooSlow =
  "The transform took longer than 100 ms and was stopped. Use fewer loops over long lists.";
export const outOfMemory =
  "The transform needed more than 32 MiB of memory and was stopped. Keep less data at a time.";
export const stackOverflow = "The functions call each other too deeply. Use a loop instead.";
const unreadable = "The code threw something that can't be read.";
const noImports = "Transforms can't import other modules. Put the code into the transform.";

/** The first position in a stack that is within the user's source. */
function findPlace(stack: string, source: string) {
  const match = /transform\.js:(\d+):(\d+)/.exec(stack);
  if (match === null) return null;
  const line = Number(match[1]);
  const column = Number(match[2]);
  // The user's code can produce any stack.
  return line <= source.split("\n").length ? { line, column } : null;
}
