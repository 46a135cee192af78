import { AppError } from "#lib/base/errors.ts";

/** The version's number from a path. Throws `not_found`: nothing else can be a version. */
export function readVersionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new AppError("not_found", "There is no such version. Versions are numbers from 1.");
}
