import { AppError, invalidField } from "#lib/base/errors.ts";
import { countSavedViews } from "#lib/db/accounts/saved-views.ts";
import {
  findUnknownParam,
  type ViewList,
  type ViewParams,
} from "#lib/schema/account/saved-view.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** Throws `invalid_request` if the list doesn't have one of these parameters. */
export function requireKnownParams(list: ViewList, params: ViewParams): void {
  const unknown = findUnknownParam(list, params);
  if (unknown !== undefined)
    throw invalidField(`params.${unknown}`, `is no parameter of the list of ${list}.`);
}

/** Throws `conflict` if the list has a view with this name. */
export async function requireNewName(
  { db, actor }: ServiceContext,
  list: ViewList,
  name: string,
): Promise<void> {
  if ((await countSavedViews(db, actor.accountId, { list, name })) === 0) return;
  throw new AppError("conflict", "There is a view with this name. Choose another one.", {
    errors: [{ path: "name", code: "conflict", message: "is the name of another view" }],
  });
}
