import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/ids.ts";

export type Thing = "hook" | "action" | "delivery" | "run" | "job";

/** The one answer to what is not there, is deleted, or belongs to another account. */
export function notFound(thing: Thing): AppError {
  return new AppError("not_found", `There is no ${thing} with this id.`);
}

/** What doesn't have the form of an id is nobody's id; asking the database with it would be an error there. */
export function requireId(thing: Thing, id: string): string {
  if (!isId(id)) throw notFound(thing);
  return id;
}
