import {
  type DeliveryView,
  readDeliveryContext,
} from "#lib/core/mapping/build-request/delivery-context.ts";
import type { HookView } from "#lib/core/mapping/build-request/hook-view.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";

export type ReadDelivery = {
  readonly view: DeliveryView;
  /** Parses the body, once for all actions of the hook. */
  readonly readContext: typeof readDeliveryContext;
};

let last: { readonly of: RunDelivery; readonly read: ReadDelivery } | undefined;

/**
 * The parts of a delivery that its runs share. They start one after the other, so only the latest delivery is
 * kept: a parsed body must not stay in memory as long as its calls take.
 */
export function readDelivery(delivery: RunDelivery): ReadDelivery {
  if (last?.of === delivery) return last.read;
  const view = { ...delivery, headers: readHeaders(delivery.headersJson) };
  let known: { hook: HookView; context: Context } | undefined;
  const readContext: typeof readDeliveryContext = (of, hook) => {
    if (known === undefined || !isSameHook(known.hook, hook))
      known = { hook, context: readDeliveryContext(of, hook) };
    return known.context;
  };
  const read = { view, readContext };
  last = { of: delivery, read };
  return read;
}

function isSameHook(one: HookView, other: HookView): boolean {
  return one.id === other.id && one.name === other.name && one.payloadField === other.payloadField;
}

type Context = ReturnType<typeof readDeliveryContext>;

/** The headers as the catch path stored them. */
function readHeaders(json: string): [name: string, value: string][] {
  return JSON.parse(json);
}
