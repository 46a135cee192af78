import { type ApiAccess, createThroughApi } from "./post-to-api.ts";
import { stripeSecret } from "./stripe-delivery.ts";

type HookSetUp = ApiAccess & {
  /** The URL that the action sends to. */
  readonly sinkUrl: string;
  readonly name: string;
};

export type ReadyHook = {
  readonly hookId: string;
  readonly actionId: string;
  /** The path of the catch URL. */
  readonly path: string;
};

/**
 * Creates, through the public API, a Stripe hook with one action that sends the event's id, token,
 * and amount.
 */
export async function setUpHook({ sinkUrl, name, ...access }: HookSetUp): Promise<ReadyHook> {
  return setUpHookWith(access, name, {
    name: "to the sink",
    request: {
      method: "POST",
      url: sinkUrl,
      body: {
        eventId: "{{ id }}",
        token: "{{ data.object.client_reference_id }}",
        amount: "{{ data.object.amount_total }}",
      },
    },
  });
}

/** Creates the hook with any action. */
export async function setUpHookWith(
  access: ApiAccess,
  name: string,
  action: object,
): Promise<ReadyHook> {
  const input = { name, provider: "stripe", signingSecret: stripeSecret };
  const hook = await createThroughApi(access, "/api/v1/hooks", input);
  const { id } = await createThroughApi(access, `/api/v1/hooks/${String(hook.id)}/actions`, action);
  const { pathname } = new URL(String(hook.catchUrl));
  return { hookId: String(hook.id), actionId: String(id), path: pathname };
}

/** The action's request body for an event, byte for byte. */
export function expectedSinkBody(eventId: string, token: string): string {
  return JSON.stringify({ eventId, token, amount: 4200 });
}
