import { cache } from "react";
import { getCredential, listCredentials } from "#lib/services/credentials.ts";
import {
  getDestination,
  listCredentialUses,
  listDestinations,
  listDestinationUses,
  listReceiverChoices,
} from "#lib/services/destinations.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { readList } from "#lib/web/request/read-list.ts";

/** A page of destinations for a URL, newest first, with the credentials that one can have. */
export async function readDestinationList(context: ServiceContext, params: SearchParams) {
  const [list, { credentials }] = await Promise.all([
    readList(context, listDestinations, { path: "/destinations", names: [], params }),
    listReceiverChoices(context, {}),
  ]);
  return { destinations: list.items, credentials, links: list.links };
}

/** A page of credentials for a URL, newest first. */
export async function readCredentialList(context: ServiceContext, params: SearchParams) {
  const list = { path: "/credentials", names: [], params };
  const { items, links } = await readList(context, listCredentials, list);
  return { credentials: items, links };
}

/** A destination, read once for its page and title. Throws `not_found`. */
export const readDestinationPage = cache(async (context: ServiceContext, id: string) => {
  const destination = await getDestination(context, { id });
  const [{ credentials }, actions] = await Promise.all([
    listReceiverChoices(context, {}),
    listDestinationUses(context, { id }),
  ]);
  return { destination, credentials, uses: actions.map(toActionUse) };
});

/** A credential, read once for its page and title. Throws `not_found`. */
export const readCredentialPage = cache(async (context: ServiceContext, id: string) => {
  const credential = await getCredential(context, { id });
  const { actions, destinations, subscriptions } = await listCredentialUses(context, { id });
  const uses = [
    ...subscriptions.map(toSubscriptionUse),
    ...destinations.map(toDestinationUse),
    ...actions.map(toActionUse),
  ];
  return { credential, uses };
});

function toDestinationUse({ id, name }: { id: string; name: string }) {
  return { href: `/destinations/${id}`, name, of: "Destination" };
}

function toSubscriptionUse({ id, name }: { id: string; name: string }) {
  return { href: `/subscriptions/${id}`, name, of: "Subscription" };
}

function toActionUse({ id, name, hookName }: { id: string; name: string; hookName: string }) {
  return { href: `/actions/${id}`, name, of: hookName };
}
