import { mapFew } from "#lib/base/map-few.ts";
import type { Page, PageRequest } from "#lib/core/api/page.ts";
import { type Named, nameItems, nameSubscription } from "#lib/core/configuration/item-names.ts";
import { readMaskedFields } from "#lib/db/accounts/masked-fields.ts";
import { readSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { listActions } from "#lib/db/actions/actions.ts";
import { listSealedChannels } from "#lib/db/alerts/channels.ts";
import { listRules } from "#lib/db/alerts/rules.ts";
import { listCredentials } from "#lib/db/credentials/credentials.ts";
import { listDestinations } from "#lib/db/destinations/destinations.ts";
import { type EventTypeRecord, listEventTypes } from "#lib/db/event-types/event-types.ts";
import { listTypeVersions } from "#lib/db/event-types/type-versions.ts";
import { listHooks } from "#lib/db/hooks/hooks.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { listRecipients } from "#lib/db/recipients/recipients.ts";
import { listSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import { firstVersion } from "#lib/schema/send/payload-version.ts";

/** An account's configuration as it is stored, each list in the order of creation. */
export type AccountItems = Awaited<ReturnType<typeof readItems>>;

export async function readItems(db: Database, accountId: string) {
  const byName = ({ name }: { readonly name: string }) => name;
  const hooks = await readAll((page) => listHooks(db, accountId, page));
  const subscriptions = await readAll((page) => listSubscriptions(db, accountId, {}, page));
  const rules = await readAll((page) => listRules(db, accountId, page));
  const credentials = await readAll((page) => listCredentials(db, accountId, page));
  const destinations = await readAll((page) => listDestinations(db, accountId, page));
  const recipients = await readAll((page) => listRecipients(db, accountId, {}, page));
  const eventTypes = await readAll((page) => listEventTypes(db, accountId, {}, page));
  const actions = new Map<string, readonly Named<ActionRecord>[]>();
  for (const { id } of hooks) {
    const found = await readAll((page) => listActions(db, accountId, id, page));
    const sorted = found.toReversed().toSorted((one, other) => one.position - other.position);
    actions.set(id, nameItems(sorted, byName));
  }
  return {
    credentials: nameItems(credentials.toReversed(), byName),
    destinations: nameItems(destinations.toReversed(), byName),
    hooks: nameItems(hooks.toReversed(), byName),
    /** By hook, in the order in which they run. */
    actions,
    eventTypes: nameItems(await addVersions(db, accountId, eventTypes), byName),
    recipients: nameItems(recipients, ({ id }) => id),
    subscriptions: nameItems(
      subscriptions.toReversed().filter(({ receiverByPortal }) => !receiverByPortal),
      nameSubscription,
    ),
    /** Their owners entered these in the portal, where other rules apply to URLs. */
    portalCount: subscriptions.filter(({ receiverByPortal }) => receiverByPortal).length,
    sending: await readSenderSettings(db, accountId),
    maskedFields: await readMaskedFields(db, accountId),
    alertChannels: nameItems(await listSealedChannels(db, accountId), byName),
    alertRules: nameItems(rules.toReversed(), ({ kind }) => kind),
  };
}

/** `versions`, oldest first. Null: there is only the first. */
async function addVersions(db: Database, accountId: string, types: readonly EventTypeRecord[]) {
  return await mapFew(types, async (type) => {
    const hasVersions = type.version !== firstVersion;
    const versions = hasVersions ? await listTypeVersions(db, accountId, type.name) : null;
    return { ...type, versions };
  });
}

const pageSize = 500;

async function readAll<Item>(list: (page: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: pageSize, cursor });
    all.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}
