import { subscriptionSecretPlace } from "#lib/core/people/seal/seal-places.ts";
import { openCredential } from "#lib/core/sending/credential/seal-credential.ts";
import { openHeaders } from "#lib/core/sending/sealed-headers.ts";
import { openSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import { openSecrets as openChannelSecrets } from "#lib/core/watch/alerts/open-channel.ts";
import { listSealedCredentials } from "#lib/db/credentials/read-saved.ts";
import { readSealedSecrets } from "#lib/db/hooks/hook-secrets.ts";
import { readSigningSecrets } from "#lib/db/subscriptions/subscription-secrets.ts";
import type { ConfigurationSecrets } from "#lib/schema/configuration.ts";
import { readKnown } from "#lib/services/actions/known-calls.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import type { AccountItems } from "./read-items.ts";

/** The secrets of an account's configuration in plain text. One that can't be opened is left out. */
export async function readConfigurationSecrets(
  context: ServiceContext,
  items: AccountItems,
): Promise<ConfigurationSecrets> {
  return {
    credentials: await readCredentials(context, items),
    hooks: await readHooks(context, items),
    actions: readActions(context, items),
    subscriptions: await readSubscriptions(context, items),
    alertChannels: readChannels(context, items),
  };
}

async function readCredentials({ db, sealer, actor }: ServiceContext, items: AccountItems) {
  const { accountId } = actor;
  const sealed = new Map(
    (await listSealedCredentials(db, accountId)).map((row) => [row.id, row.ciphertext]),
  );
  return Object.fromEntries(
    items.credentials.map(({ id, ref }) => {
      const ciphertext = sealed.get(id) ?? new Uint8Array();
      return [ref, openCredential(sealer, { id, accountId, ciphertext })];
    }),
  );
}

async function readHooks({ db, sealer, actor }: ServiceContext, items: AccountItems) {
  const newest = items.hooks.map(({ secrets }) =>
    secrets.find(({ expiresAt }) => expiresAt === null),
  );
  const ids = newest.flatMap((secret) => secret?.id ?? []);
  const rows = new Map((await readSealedSecrets(db, ids)).map((row) => [row.id, row]));
  return Object.fromEntries(
    items.hooks.map(({ ref, key }, index) => {
      const row = rows.get(newest[index]?.id ?? "");
      const signingSecret = row === undefined ? null : openSecret(actor.accountId, row, sealer);
      return [ref, { key, ...(signingSecret === null ? {} : { signingSecret }) }];
    }),
  );
}

function readActions({ sealer }: ServiceContext, { hooks, actions }: AccountItems) {
  const ofHook = (id: string) =>
    (actions.get(id) ?? []).flatMap((action) => {
      const calls = [...readKnown(sealer, action, action)].flatMap(([key, { auth }]) =>
        auth === null ? [] : [[key, auth] as const],
      );
      return calls.length === 0 ? [] : [[action.ref, Object.fromEntries(calls)] as const];
    });
  return Object.fromEntries(
    hooks.map(({ id, ref }) => [ref, Object.fromEntries(ofHook(id))] as const),
  );
}

async function readSubscriptions(
  { db, sealer, actor }: ServiceContext,
  { subscriptions }: AccountItems,
) {
  const { accountId } = actor;
  const sealed = await readSigningSecrets(db, accountId);
  return Object.fromEntries(
    subscriptions.map((subscription) => {
      const row = sealed.get(subscription.id);
      const place = row === undefined ? null : subscriptionSecretPlace({ id: row.id, accountId });
      const opened =
        row === undefined || place === null ? null : sealer.open(row.ciphertext, place);
      const secret = opened?.ok ? { secret: Buffer.from(opened.plaintext).toString("utf8") } : {};
      return [subscription.ref, { ...secret, headers: { ...openHeaders(sealer, subscription) } }];
    }),
  );
}

function readChannels({ sealer, actor }: ServiceContext, { alertChannels }: AccountItems) {
  return Object.fromEntries(
    alertChannels.flatMap(({ id, ref, ciphertext }) => {
      if (ciphertext === null) return [];
      const opened = openChannelSecrets(sealer, { id, accountId: actor.accountId, ciphertext });
      return opened === null ? [] : [[ref, opened] as const];
    }),
  );
}
