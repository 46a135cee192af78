import { listCredentials as findCredentials } from "#lib/db/credentials/credentials.ts";
import { listDestinations as findDestinations } from "#lib/db/destinations/destinations.ts";
import { listDestinationsOf, listUses } from "#lib/db/destinations/name-uses.ts";
import { byId, noFields } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

/** The maximum that an account can have. */
const everything = { limit: 1_000 };

/** The destinations and credentials that a request can name, each in the order of their names. */
export const listReceiverChoices = service({
  permission: "hooks:read",
  input: noFields,
  run: async ({ db, actor }) => {
    const [destinations, credentials] = await Promise.all([
      findDestinations(db, actor.accountId, everything),
      findCredentials(db, actor.accountId, everything),
    ]);
    return {
      destinations: toChoices(destinations.items),
      credentials: toChoices(credentials.items),
    };
  },
});

/** The newest actions that use a destination. */
export const listDestinationUses = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => listUses(db, actor.accountId, "destination", id),
});

/** The newest actions and destinations that use a credential. */
export const listCredentialUses = service({
  permission: "hooks:read",
  input: byId,
  run: async ({ db, actor }, { id }) => {
    const [actions, destinations] = await Promise.all([
      listUses(db, actor.accountId, "credential", id),
      listDestinationsOf(db, actor.accountId, id),
    ]);
    return { actions, destinations };
  },
});

type Choice = { readonly id: string; readonly name: string; readonly origin: string };

function toChoices(items: readonly Choice[]): readonly Choice[] {
  const byName = (a: Choice, b: Choice) => a.name.localeCompare(b.name);
  return items.map(({ id, name, origin }) => ({ id, name, origin })).sort(byName);
}
