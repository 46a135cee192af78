import {
  createCredential,
  deleteCredential,
  getCredential,
  listCredentials,
  updateCredential,
} from "#lib/db/credentials/credentials.ts";
import {
  credentialInputSchema,
  credentialPatchSchema,
  pageQuerySchema,
} from "#lib/schema/credential.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { showCredential } from "#lib/web/views/receivers/show-credential.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const postCredential = endpoint({
  scope: "hooks:write",
  body: credentialInputSchema,
  status: 201,
  handle: async ({ context, accountId, body }) =>
    showCredential(await createCredential(context.db, accountId, body, rules(context))),
});

export const getCredentials = endpoint({
  scope: "hooks:read",
  query: pageQuerySchema,
  handle: async ({ context: { db }, accountId, query }) =>
    showPage(await listCredentials(db, accountId, query), showCredential),
});

export const getOneCredential = endpoint({
  scope: "hooks:read",
  handle: async ({ context: { db }, accountId, id }) =>
    showCredential(await getCredential(db, accountId, id)),
});

export const patchCredential = endpoint({
  scope: "hooks:write",
  body: credentialPatchSchema,
  handle: async ({ context, accountId, id, body }) =>
    showCredential(await updateCredential(context.db, accountId, id, body, rules(context))),
});

export const removeCredential = endpoint({
  scope: "hooks:write",
  status: 204,
  handle: ({ context: { db }, accountId, id }) => deleteCredential(db, accountId, id),
});

function rules({ sealer, env }: ServerContext) {
  return { sealer, allowList: env.egressAllow };
}
