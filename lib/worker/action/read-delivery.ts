import {
  type DeliveryView,
  readDeliveryContext,
} from "#lib/core/build-request/delivery-context.ts";
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
  let known: { hook: { id: string; name: string }; context: Context } | undefined;
  const readContext: typeof readDeliveryContext = (of, hook) => {
    if (known?.hook.id !== hook.id || known.hook.name !== hook.name)
      known = { hook, context: readDeliveryContext(of, hook) };
    return known.context;
  };
  const read = { view, readContext };
  last = { of: delivery, read };
  return read;
}

type Context = ReturnType<typeof readDeliveryContext>;

/** The headers as the catch path stored them. */
function readHeaders(json: string): [name: string, value: string][] {
  return JSON.parse(json);
}
