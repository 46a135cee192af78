import { type SmallStage, setSmallStage } from "./stage.ts";

type PublishedBody = { readonly type: string; readonly data: object };

/** A server that sends published events. */
export type SendStage = SmallStage & {
  subscribe(receiverUrl: string, eventTypes: readonly string[]): Promise<void>;
  /** Publishes a batch. */
  publish(events: readonly PublishedBody[]): Promise<void>;
};

/** Event types, and the number of subscriptions of the sink that get them. */
export const measuredTypes = { "one.measured": 1, "many.measured": 20 } as const;

/** @param checkout the folder of another version. Omitted: this one */
export async function setSendStage(folder: string, checkout?: string): Promise<SendStage> {
  const shape = { actions: 1, bodyBytes: 450 };
  const small = await setSmallStage({ folder, log: () => {}, shape, checkout });
  const { origin, apiToken } = small.whole.server;
  const post = async (path: string, body: object): Promise<void> => {
    const response = await fetch(new URL(`/api/v1${path}`, origin), {
      method: "POST",
      headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  const stage: SendStage = {
    ...small,
    subscribe: (receiverUrl, eventTypes) => post("/subscriptions", { receiverUrl, eventTypes }),
    publish: (events) => post("/events/batch", { events }),
  };
  for (const [type, count] of Object.entries(measuredTypes))
    for (let number = 0; number < count; number += 1) await stage.subscribe(small.sink.url, [type]);
  return stage;
}
