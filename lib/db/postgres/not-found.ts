import { AppError } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";

/** The one response for something that doesn't exist, is deleted, or belongs to another account. */
export function notFound(thing: string): AppError {
  return new AppError("not_found", `There is no ${thing} with this id.`);
}

/** A malformed id can't exist. Querying the database with it would be an error. */
export function requireId(thing: string, id: string): string {
  if (!isId(id)) throw notFound(thing);
  return id;
}
