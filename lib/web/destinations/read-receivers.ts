import { cache } from "react";
import { getCredential, listCredentials } from "#lib/db/credentials/credentials.ts";
import { getDestination, listDestinations } from "#lib/db/destinations/destinations.ts";
import { listDestinationsOf, listUses } from "#lib/db/destinations/name-uses.ts";
import { pageQuerySchema } from "#lib/schema/credential.ts";
import type { ServerContext } from "#lib/services/frame/server-context.ts";
import { pageLinks, readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";
import { readPage } from "#lib/web/request/read-page.ts";

const pageSize = 50;
/** The maximum that an account can have. */
const maxChoices = 1_000;

/** A page of destinations for a URL, newest first, with the credentials that one can have. */
export async function readDestinationList(
  context: ServerContext,
  accountId: string,
  params: SearchParams,
) {
  const query = readListQuery(params, { names: [], schema: pageQuerySchema, nowMs: Date.now() });
  const [page, credentials] = await Promise.all([
    readPage(query.problems, () =>
      listDestinations(context.db, accountId, { limit: pageSize, cursor: query.cursor }),
    ),
    listCredentialChoices(context, accountId),
  ]);
  const links = pageLinks("/destinations", query, page.nextCursor);
  return { destinations: page.items, credentials, links };
}

export async function readCredentialList(
  { db }: ServerContext,
  accountId: string,
  params: SearchParams,
) {
  const query = readListQuery(params, { names: [], schema: pageQuerySchema, nowMs: Date.now() });
  const page = await readPage(query.problems, () =>
    listCredentials(db, accountId, { limit: pageSize, cursor: query.cursor }),
  );
  return { credentials: page.items, links: pageLinks("/credentials", query, page.nextCursor) };
}

/** A destination, read once for its page and title. Throws `not_found`. */
export const readDestinationPage = cache(readDestination);

async function readDestination(context: ServerContext, accountId: string, id: string) {
  const destination = await getDestination(context.db, accountId, id);
  const [credentials, actions] = await Promise.all([
    listCredentialChoices(context, accountId),
    listUses(context.db, accountId, "destination", id),
  ]);
  return { destination, credentials, uses: actions.map(toActionUse) };
}

/** A credential, read once for its page and title. Throws `not_found`. */
export const readCredentialPage = cache(readCredential);

async function readCredential({ db }: ServerContext, accountId: string, id: string) {
  const credential = await getCredential(db, accountId, id);
  const [actions, destinations] = await Promise.all([
    listUses(db, accountId, "credential", id),
    listDestinationsOf(db, accountId, id),
  ]);
  const uses = [
    ...destinations.map((each) => ({
      href: `/destinations/${each.id}`,
      name: each.name,
      of: "Destination",
    })),
    ...actions.map(toActionUse),
  ];
  return { credential, uses };
}

/** The destinations and credentials that a request can name, each in the order of their names. */
export async function readReceiverChoices({ db }: ServerContext, accountId: string) {
  const page = { limit: maxChoices };
  const [destinations, credentials] = await Promise.all([
    listDestinations(db, accountId, page),
    listCredentials(db, accountId, page),
  ]);
  return {
    destinations: toChoices(destinations.items),
    credentials: toChoices(credentials.items),
  };
}

async function listCredentialChoices({ db }: ServerContext, accountId: string) {
  return toChoices((await listCredentials(db, accountId, { limit: maxChoices })).items);
}

type Choice = { readonly id: string; readonly name: string; readonly origin: string };

function toChoices(items: readonly Choice[]): readonly Choice[] {
  const byName = (a: Choice, b: Choice) => a.name.localeCompare(b.name);
  return items.map(({ id, name, origin }) => ({ id, name, origin })).sort(byName);
}

function toActionUse({ id, name, hookName }: { id: string; name: string; hookName: string }) {
  return { href: `/actions/${id}`, name, of: hookName };
}
