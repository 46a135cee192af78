import { z } from "zod";
import {
  createAction,
  deleteAction,
  getAction,
  listActions,
  updateAction,
} from "#lib/db/actions/actions.ts";
import { closeActionBreaker } from "#lib/db/actions/close-breaker.ts";
import { readBreaker } from "#lib/db/queue/control/breakers.ts";
import { actionInputSchema, actionPatchSchema } from "#lib/schema/action/action.ts";
import { pageFields } from "#lib/schema/field/common.ts";
import { actionRules } from "#lib/services/actions/action-rules.ts";
import { requireTransforms } from "#lib/services/actions/require-transforms.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { showAction } from "#lib/web/views/show-action.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const postAction = endpoint({
  scope: "hooks:write",
  body: actionInputSchema,
  exactNumbers: true,
  status: 201,
  handle: async ({ context, accountId, author, id, body }) => {
    await requireTransforms(accountId, body.steps);
    const made = await createAction(context.db, accountId, id, body, actionRules(context, author));
    return showAction(made, context.sealer);
  },
});

export const getActions = endpoint({
  scope: "hooks:read",
  query: z.strictObject(pageFields),
  handle: async ({ context: { db, sealer }, accountId, id, query }) =>
    showPage(await listActions(db, accountId, id, query), (action) => showAction(action, sealer)),
});

export const getOneAction = endpoint({
  scope: "hooks:read",
  handle: async ({ context: { db, sealer }, accountId, id }) => {
    const action = await getAction(db, accountId, id);
    const shown = showAction(action, sealer);
    const breakerState = await readBreaker(db, action.id);
    const isShown = action.breaker !== null || breakerState.state === "held";
    return isShown ? { ...shown, breakerState } : shown;
  },
});

export const postCloseBreaker = endpoint({
  scope: "hooks:write",
  handle: async ({ context: { db }, accountId, id }) => {
    await closeActionBreaker(db, accountId, id);
    return await readBreaker(db, id);
  },
});

export const patchAction = endpoint({
  scope: "hooks:write",
  body: actionPatchSchema,
  exactNumbers: true,
  handle: async ({ context, accountId, author, id, body }) => {
    await requireTransforms(accountId, body.steps);
    const saved = await updateAction(context.db, accountId, id, body, actionRules(context, author));
    return showAction(saved, context.sealer);
  },
});

export const removeAction = endpoint({
  scope: "hooks:write",
  status: 204,
  handle: ({ context: { db }, accountId, id }) => deleteAction(db, accountId, id),
});
