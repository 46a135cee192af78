import { z } from "zod";
import { getVersion, listVersions } from "#lib/db/actions/read-versions.ts";
import { restoreVersion } from "#lib/db/actions/restore-version.ts";
import { AppError } from "#lib/errors.ts";
import { pageFields } from "#lib/schema/field/common.ts";
import { actionRules } from "#lib/services/actions/action-rules.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { showStoredVersion, showVersion } from "#lib/web/views/action/show-version.ts";
import { showAction } from "#lib/web/views/show-action.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const getVersions = endpoint({
  scope: "hooks:read",
  query: z.strictObject(pageFields),
  handle: async ({ context: { db }, accountId, id, query }) =>
    showPage(await listVersions(db, accountId, id, query), showVersion),
});

export const getOneVersion = endpoint({
  scope: "hooks:read",
  handle: async ({ context: { db }, accountId, id, number }) =>
    showStoredVersion(await getVersion(db, accountId, id, readNumber(number))),
});

export const postRestore = endpoint({
  scope: "hooks:write",
  handle: async ({ context, accountId, author, id, number }) => {
    const rules = actionRules(context, author);
    const { db, sealer } = context;
    const restored = await restoreVersion(db, accountId, id, readNumber(number), rules);
    const { action, missingCredentials } = restored;
    return { ...showAction(action, sealer), missingCredentials };
  },
});

/** Throws `not_found`: nothing else can be a version. */
function readNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new AppError("not_found", "There is no such version. Versions are numbers from 1.");
}
