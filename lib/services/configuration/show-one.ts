import { AppError } from "#lib/base/errors.ts";
import type { MarkedKind } from "#lib/schema/configuration-plan.ts";
import type { AccountItems } from "./read-items.ts";

type List =
  | "credentials"
  | "destinations"
  | "hooks"
  | "eventTypes"
  | "recipients"
  | "subscriptions"
  | "alertChannels"
  | "alertRules";

/** What an export has of items, in their order. */
type Shown = { readonly format: string } & Readonly<Record<List, readonly object[]>>;

/** The part of an export with only one thing. An action is in its hook. Throws `not_found`. */
export function showOne(
  shown: Shown,
  items: AccountItems,
  { kind, id }: { readonly kind: MarkedKind; readonly id: string },
): object {
  const { format } = shown;
  const pick = <Item>(all: readonly Item[], stored: readonly { readonly id: string }[]) => {
    const found = all[stored.findIndex((item) => item.id === id)];
    if (found === undefined) throw new AppError("not_found", `There is no ${kind} with this id.`);
    return [found];
  };
  const owns = (hook: { readonly id: string }) =>
    items.actions.get(hook.id)?.some((action) => action.id === id) === true;
  const types = items.eventTypes.map(({ name }) => ({ id: name }));
  const one: Readonly<Record<MarkedKind, () => object>> = {
    "alert rule": () => ({ alertRules: pick(shown.alertRules, items.alertRules) }),
    "alert channel": () => ({ alertChannels: pick(shown.alertChannels, items.alertChannels) }),
    subscription: () => ({ subscriptions: pick(shown.subscriptions, items.subscriptions) }),
    recipient: () => ({ recipients: pick(shown.recipients, items.recipients) }),
    "event type": () => ({ eventTypes: pick(shown.eventTypes, types) }),
    action: () => ({
      hooks: pick(
        shown.hooks,
        items.hooks.map((hook) => ({ id: owns(hook) ? id : "" })),
      ),
    }),
    hook: () => ({ hooks: pick(shown.hooks, items.hooks) }),
    destination: () => ({ destinations: pick(shown.destinations, items.destinations) }),
    credential: () => ({ credentials: pick(shown.credentials, items.credentials) }),
  };
  return { format, ...one[kind]() };
}
