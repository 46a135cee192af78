import {
  createDestination,
  deleteDestination,
  getDestination,
  listDestinations,
  updateDestination,
} from "#lib/db/destinations/destinations.ts";
import { pageQuerySchema } from "#lib/schema/credential.ts";
import { destinationInputSchema, destinationPatchSchema } from "#lib/schema/destination.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { showDestination } from "#lib/web/views/receivers/show-credential.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const postDestination = endpoint({
  scope: "hooks:write",
  body: destinationInputSchema,
  status: 201,
  handle: async ({ context: { db, env }, accountId, body }) =>
    showDestination(await createDestination(db, accountId, body, env.egressAllow)),
});

export const getDestinations = endpoint({
  scope: "hooks:read",
  query: pageQuerySchema,
  handle: async ({ context: { db }, accountId, query }) =>
    showPage(await listDestinations(db, accountId, query), showDestination),
});

export const getOneDestination = endpoint({
  scope: "hooks:read",
  handle: async ({ context: { db }, accountId, id }) =>
    showDestination(await getDestination(db, accountId, id)),
});

export const patchDestination = endpoint({
  scope: "hooks:write",
  body: destinationPatchSchema,
  handle: async ({ context: { db, env }, accountId, id, body }) =>
    showDestination(await updateDestination(db, accountId, id, body, env.egressAllow)),
});

export const removeDestination = endpoint({
  scope: "hooks:write",
  status: 204,
  handle: ({ context: { db }, accountId, id }) => deleteDestination(db, accountId, id),
});
