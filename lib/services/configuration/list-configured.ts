import type { ConfiguredItem } from "#lib/core/configuration/compare.ts";
import { type Json, nameItems, nameSubscription } from "#lib/core/configuration/item-names.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import type { Configuration, ConfigurationSecrets } from "#lib/schema/configuration.ts";
import type { MarkedKind } from "#lib/schema/configuration-plan.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { showItems } from "./export-configuration.ts";
import type { AccountItems } from "./read-items.ts";

type Stored = { readonly id: string; readonly ref: string; readonly createdAt?: Date };

/** A thing of the account that can have a mark. */
export type Marked = {
  readonly kind: MarkedKind;
  readonly id: string;
  readonly what: string;
  /** Null: its id is never used again. */
  readonly createdAt: Date | null;
  /** The hook of an action. */
  readonly hook: string | null;
};

/** Everything of the account with what a file would say of it, and its secrets. */
export function listConfigured(
  context: ServiceContext,
  items: AccountItems,
  secrets: ConfigurationSecrets,
): readonly ConfiguredItem[] {
  const shown = showItems(context, items);
  const list = <Item extends Stored>(
    kind: MarkedKind,
    stored: readonly Item[],
    parts: { readonly shown: readonly unknown[]; readonly secretsOf?: (item: Item) => unknown },
  ) =>
    stored.map((item, index) => ({
      kind,
      id: item.id,
      what: `${kind} ${JSON.stringify(item.ref)}`,
      shown: toJson(parts.shown[index]),
      secrets: toJson(parts.secretsOf?.(item)),
    }));
  const types = items.eventTypes.map((type) => ({ ...type, id: type.name }));
  return [
    ...list("credential", items.credentials, {
      shown: shown.credentials,
      secretsOf: ({ ref }) => ({ auth: secrets.credentials[ref] }),
    }),
    ...list("destination", items.destinations, { shown: shown.destinations }),
    ...items.hooks.flatMap((hook, index) => {
      const { actions = [], ...fields } = shown.hooks[index] ?? {};
      return [
        ...list("hook", [hook], { shown: [fields], secretsOf: ({ ref }) => secrets.hooks[ref] }),
        ...list("action", items.actions.get(hook.id) ?? [], {
          shown: actions,
          secretsOf: ({ ref }) => ({ credentials: secrets.actions[hook.ref]?.[ref] }),
        }).map((action) => ({ ...action, what: `${nameHook(hook.ref)}, ${action.what}` })),
      ];
    }),
    ...list("event type", types, { shown: shown.eventTypes }),
    ...list("recipient", items.recipients, { shown: shown.recipients }),
    ...list("subscription", items.subscriptions, {
      shown: shown.subscriptions,
      secretsOf: ({ ref }) => secrets.subscriptions[ref],
    }),
    ...list("alert channel", items.alertChannels, {
      shown: shown.alertChannels,
      secretsOf: ({ ref }) => secrets.alertChannels[ref],
    }),
    ...list("alert rule", items.alertRules, { shown: shown.alertRules }),
    setting("settings for sending", shown.sending),
    setting("masked fields", shown.maskedFields),
  ];
}

const nameHook = (ref: string) => `hook ${JSON.stringify(ref)}`;

function setting(what: string, shown: unknown): ConfiguredItem {
  return { kind: "settings", id: what, what, shown: toJson(shown), secrets: null };
}

function toJson(value: unknown): JsonValue {
  const parsed = parseExactJson(JSON.stringify(value ?? null), 256);
  return parsed.ok ? parsed.value : null;
}

/** Everything of the account that can have a mark. */
export function listMarked(items: AccountItems): readonly Marked[] {
  const list = (kind: MarkedKind, stored: readonly Stored[]) =>
    stored.map(({ id, ref }) => ({
      kind,
      id,
      what: `${kind} ${JSON.stringify(ref)}`,
      createdAt: null,
      hook: null,
    }));
  const named = (kind: MarkedKind, stored: readonly (Stored & { readonly createdAt: Date })[]) =>
    stored.map((item) => ({ ...list(kind, [item])[0], createdAt: item.createdAt }) as Marked);
  const types = items.eventTypes.map((type) => ({ ...type, id: type.name }));
  return [
    ...list("credential", items.credentials),
    ...list("destination", items.destinations),
    ...list("hook", items.hooks),
    ...items.hooks.flatMap(({ id, ref }) =>
      list("action", items.actions.get(id) ?? []).map((action) => ({
        ...action,
        what: `${nameHook(ref)}, ${action.what}`,
        hook: nameHook(ref),
      })),
    ),
    ...named("event type", types),
    ...named("recipient", items.recipients),
    ...list("subscription", items.subscriptions),
    ...list("alert channel", items.alertChannels),
    ...list("alert rule", items.alertRules),
  ];
}

/** What files have, in words, and the lists that they have. */
export function listGiven(file: Configuration) {
  const given = new Set<string>();
  const lists = new Set<MarkedKind>();
  const add = <Item extends object>(
    kind: MarkedKind,
    items: readonly Item[] | undefined,
    nameOf: (item: Item) => string,
  ) => {
    if (items === undefined) return [];
    lists.add(kind);
    const named = nameItems(items, nameOf);
    for (const { ref } of named) given.add(`${kind} ${JSON.stringify(ref)}`);
    return named;
  };
  const byName = ({ name }: { readonly name: string }) => name;
  add("credential", file.credentials, byName);
  add("destination", file.destinations, byName);
  /** Hooks whose actions are listed. */
  const whole = new Set<string>();
  for (const hook of add("hook", file.hooks, byName)) {
    const { ref, actions } = hook as { readonly ref: string } & Json;
    if (!Array.isArray(actions)) continue;
    whole.add(nameHook(ref));
    for (const action of nameItems(actions as { name: string }[], byName))
      given.add(`${nameHook(ref)}, action ${JSON.stringify(action.ref)}`);
  }
  add("event type", file.eventTypes, byName);
  add("recipient", file.recipients, ({ id }) => id);
  add("subscription", file.subscriptions, nameSubscription);
  add("alert channel", file.alertChannels, byName);
  add("alert rule", file.alertRules, ({ kind }) => kind);
  return { given, lists, whole };
}
