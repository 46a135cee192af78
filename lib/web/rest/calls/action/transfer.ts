import { getAction } from "#lib/db/actions/actions.ts";
import { duplicateAction, importAction } from "#lib/db/actions/transfer-action.ts";
import {
  actionImportSchema,
  duplicateSchema,
  maxImportBytes,
} from "#lib/schema/action/transfer.ts";
import { actionRules } from "#lib/services/actions/action-rules.ts";
import { requireTransforms } from "#lib/services/actions/require-transforms.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { showExport } from "#lib/web/views/action/show-export.ts";
import { showAction } from "#lib/web/views/show-action.ts";

export const postDuplicate = endpoint({
  scope: "hooks:write",
  body: duplicateSchema,
  status: 201,
  handle: async ({ context, accountId, author, id, body }) => {
    const rules = actionRules(context, author);
    const made = await duplicateAction(context.db, accountId, id, body, rules);
    return showAction(made, context.sealer);
  },
});

export const getExport = endpoint({
  scope: "hooks:read",
  handle: async ({ context: { db, sealer }, accountId, id }) =>
    showExport(await getAction(db, accountId, id), sealer),
});

export const postImport = endpoint({
  scope: "hooks:write",
  body: actionImportSchema,
  maxBodyBytes: maxImportBytes,
  exactNumbers: true,
  status: 201,
  handle: async ({ context, accountId, author, id, body }) => {
    await requireTransforms(accountId, body.steps ?? undefined);
    const rules = actionRules(context, author);
    const { action, ...missing } = await importAction(context.db, accountId, id, body, rules);
    return { ...showAction(action, context.sealer), ...missing };
  },
});
