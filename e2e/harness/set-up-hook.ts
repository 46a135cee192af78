import { stripeSecret } from "./stripe-delivery.ts";

export type HookSetUp = {
  readonly origin: string;
  readonly apiToken: string;
  /** Where the action sends to. */
  readonly sinkUrl: string;
  readonly name: string;
};

export type ReadyHook = {
  readonly hookId: string;
  readonly actionId: string /** Of the catch URL. */;
  readonly path: string;
};

/**
 * Creates, through the public API, a Stripe hook with one action that sends the event's id, token,
 * and amount.
 */
export async function setUpHook({
  origin,
  apiToken,
  sinkUrl,
  name,
}: HookSetUp): Promise<ReadyHook> {
  const post = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(new URL(path, origin), {
      method: "POST",
      headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      // The dashboard, which answers the API too, may have to wake up.
      signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const hook = await post("/api/v1/hooks", {
    name,
    provider: "stripe",
    signingSecret: stripeSecret,
  });
  const action = await post(`/api/v1/hooks/${String(hook.id)}/actions`, {
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
  const { pathname } = new URL(String(hook.catchUrl));
  return { hookId: String(hook.id), actionId: String(action.id), path: pathname };
}

/** The action's request body for an event, byte for byte. */
export function expectedSinkBody(eventId: string, token: string): string {
  return JSON.stringify({ eventId, token, amount: 4200 });
}
