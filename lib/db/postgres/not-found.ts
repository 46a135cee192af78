import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/ids.ts";

export type Thing =
  | "hook"
  | "action"
  | "delivery"
  | "run"
  | "job"
  | "backtest"
  | "subscription"
  | "event"
  | "recipient"
  | "notice"
  | "portal link"
  | "destination"
  | "credential";

/** The one response for something that doesn't exist, is deleted, or belongs to another account. */
export function notFound(thing: Thing): AppError {
  return new AppError("not_found", `There is no ${thing} with this id.`);
}

/** A malformed id can't exist. Querying the database with it would be an error. */
export function requireId(thing: Thing, id: string): string {
  if (!isId(id)) throw notFound(thing);
  return id;
}
