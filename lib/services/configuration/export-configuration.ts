import { pick } from "#lib/base/pick.ts";
import {
  type Json,
  mapCalls,
  type Named,
  nameSubscription,
} from "#lib/core/configuration/item-names.ts";
import { encryptWithPassphrase } from "#lib/core/people/seal/passphrase.ts";
import { openHeaders } from "#lib/core/sending/sealed-headers.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import { describeAuth } from "#lib/schema/act/version.ts";
import {
  type Configuration,
  configurationFormat,
  configurationSchema,
  hookFieldNames,
} from "#lib/schema/configuration.ts";
import { readKnown } from "#lib/services/actions/known-calls.ts";
import { toContent } from "#lib/services/actions/versions.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { showVersion } from "./import-versions.ts";
import { joinTransaction } from "./join-transaction.ts";
import { type AccountItems, readItems } from "./read-items.ts";
import { readConfigurationSecrets } from "./read-secrets.ts";
import { showOne } from "./show-one.ts";

type ExportedConfiguration = {
  readonly configuration: Configuration;
  /** Subscriptions that customers made in the portal. They aren't in the file. */
  readonly portalCount: number;
};

/**
 * An account's configuration, as of one moment, with its secrets if there is a passphrase to encrypt
 * them with. `one`: only this thing.
 */
export async function exportConfiguration(
  context: ServiceContext,
  passphrase: string | null,
  one: Parameters<typeof showOne>[2] | null = null,
): Promise<ExportedConfiguration> {
  const { db, actor } = context;
  authorize(actor, "configuration:read");
  const { shown, secrets, portalCount } = await db.$transaction(
    async (tx) => {
      const snapshot = { ...context, db: joinTransaction(tx) };
      const items = await readItems(snapshot.db, actor.accountId);
      const all = showItems(context, items);
      return {
        shown: one === null ? all : showOne(all, items, one),
        secrets: passphrase === null ? null : await readConfigurationSecrets(snapshot, items),
        portalCount: items.portalCount,
      };
    },
    { isolationLevel: "RepeatableRead", timeout: 600_000 },
  );
  const configuration = configurationSchema.parse({
    ...shown,
    ...(secrets === null || passphrase === null
      ? {}
      : { secrets: await encryptWithPassphrase(JSON.stringify(secrets), passphrase) }),
  });
  const event = secrets === null ? "configuration.exported" : "configuration.exported.with_secrets";
  const targets = [{ type: "account", id: actor.accountId }];
  await auditWithoutChange(context, { event, targets });
  return { configuration, portalCount };
}

/** What a file has of items, in their order. */
export function showItems({ sealer }: ServiceContext, items: AccountItems) {
  const credentials = new Map(items.credentials.map(({ id, ref }) => [id, ref]));
  const destinations = new Map(items.destinations.map(({ id, ref }) => [id, ref]));
  const channels = new Map(items.alertChannels.map(({ id, ref }) => [id, ref]));
  return {
    format: configurationFormat,
    credentials: items.credentials.map(({ ref, name, origin, settings }) => ({
      name,
      ...numberOf(ref, name),
      origin,
      auth: withoutHint(settings),
    })),
    destinations: items.destinations.map((destination) => ({
      ...pick(destination, "name", "origin", "maxConcurrency", "rateLimit", "breaker"),
      ...numberOf(destination.ref, destination.name),
      credential: credentials.get(destination.credentialId ?? "") ?? null,
    })),
    hooks: items.hooks.map((hook) => {
      const actions = items.actions.get(hook.id) ?? [];
      const shown = actions.map((action) =>
        showAction(action, readKnown(sealer, action, action), { credentials, destinations }),
      );
      const number = numberOf(hook.ref, hook.name);
      return { ...showHook(hook), ...number, reply: showReply(hook, actions), actions: shown };
    }),
    eventTypes: items.eventTypes.map(({ versions, ...type }) => ({
      ...pick(type, "name", "description"),
      ...(versions === null ? pick(type, "schema", "example") : {}),
      ...pick(type, "deprecated", "onMismatch"),
      ...(versions === null ? {} : { versions: versions.map(showVersion) }),
    })),
    recipients: items.recipients.map((recipient) =>
      pick(recipient, "id", "name", "metadata", "quota"),
    ),
    subscriptions: items.subscriptions.map((subscription) => ({
      ...showSubscription(subscription),
      ...numberOf(subscription.ref, nameSubscription(subscription)),
      credential: credentials.get(subscription.credentialId ?? "") ?? null,
      headers: Object.fromEntries(
        Object.keys(openHeaders(sealer, subscription)).map((name) => [name, null]),
      ),
    })),
    sending: items.sending,
    maskedFields: items.maskedFields,
    alertChannels: items.alertChannels.map(({ ref, name, kind, target }) => {
      const shown = { name, ...numberOf(ref, name), kind };
      return kind === "email" ? { ...shown, to: target } : shown;
    }),
    alertRules: items.alertRules.map(({ ref, id: _, channelIds, ...rule }) => ({
      ...numberOf(ref, rule.kind),
      ...pick(rule, "kind", "threshold", "withinSeconds", "quietHours"),
      ...pick(rule, "digest", "remindMinutes", "enabled"),
      channels: channelIds.flatMap((id) => channels.get(id) ?? []),
    })),
  };
}

/** Which one of its name it is, unless it is the first. */
function numberOf(ref: string, name: string): { readonly number?: number } {
  return ref === name ? {} : { number: Number(ref.slice(name.length + 2)) };
}

/** A hook without its actions. Awaiting the first secret isn't a setting. */
export function showHook(hook: HookRecord) {
  return {
    ...pick(hook, ...hookFieldNames),
    status: hook.status === "pending" ? ("active" as const) : hook.status,
  };
}

function showReply(hook: HookRecord, actions: readonly Named<ActionRecord>[]) {
  if (hook.reply === null) return null;
  const { actionId, ...reply } = hook.reply;
  const action = actions.find(({ id }) => id === actionId)?.ref;
  return action === undefined ? null : { ...reply, action };
}

type Names = {
  readonly credentials: ReadonlyMap<string, string>;
  readonly destinations: ReadonlyMap<string, string>;
};

/** With names instead of ids, and the kinds of credentials instead of secrets. */
function showAction(
  action: Named<ActionRecord>,
  known: ReturnType<typeof readKnown>,
  { credentials, destinations }: Names,
): Json {
  const { request, steps, ...content } = toContent(action) as Json;
  const work = request === null ? { steps } : { request };
  const kinds = Object.fromEntries(
    [...known].flatMap(([key, { auth }]) => (auth === null ? [] : [[key, describeAuth(auth)]])),
  );
  const named = mapCalls({ ...content, ...work }, onlyCallKey, (call) => {
    const { destinationId, auth, ...rest } = call;
    const credentialId = (auth as { credentialId?: string } | undefined)?.credentialId;
    const destination = destinations.get(String(destinationId));
    const credential = credentials.get(String(credentialId));
    return {
      ...rest,
      ...(destination === undefined ? {} : { destination }),
      ...(credential === undefined ? {} : { credential }),
    };
  });
  const { ref, name, enabled } = action;
  return {
    name,
    ...numberOf(ref, name),
    enabled,
    ...named,
    ...(Object.keys(kinds).length === 0 ? {} : { credentials: kinds }),
  };
}

/** A subscription without its secrets and headers. */
export function showSubscription(subscription: SubscriptionRecord) {
  return {
    ...pick(subscription, "receiverUrl", "eventTypes", "filter", "recipient", "description"),
    ...pick(subscription, "rateLimit", "maxConcurrency", "ordered", "keyPair", "metadata"),
    ...pick(subscription, "retry", "timeoutMs", "version", "receiver", "transform"),
    enabled: subscription.status !== "disabled",
  };
}

/** A credential as it may be shown, without the end of its secret. */
function withoutHint(settings: object): Json & { readonly type: string } {
  const { hint: _, ...shown } = settings as Json & { readonly type: string };
  return shown as Json & { readonly type: string };
}
