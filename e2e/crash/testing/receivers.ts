import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { subscribeReceivers } from "#lib/services/testing/subscribe-receivers.ts";

/** Each recipient has a receiver of everything and one of `a.*`. */
export const recipients = ["cust_0", "cust_1", "cust_2", "cust_3"] as const;
export const eventTypes = ["a.done", "b.done"] as const;

const patterns = { all: "*", some: "a.*" } as const;

/** The receivers that an event must reach. */
export function receiversOf(recipient: string, type: string): readonly string[] {
  const all = `${recipient}/all`;
  return type.startsWith("a.") ? [all, `${recipient}/some`] : [all];
}

export type Receivers = {
  /** Event ids by receiver, such as `cust_0/all`, as often as they arrived. */
  readonly received: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly calls: () => number;
  /** Subscribes them all. */
  subscribe(server: SubscribedServer): Promise<void>;
  stop(): void;
};

type SubscribedServer = { readonly databaseUrl: string; readonly secretKey: string };

/** Starts receivers that record each call before they respond, in a process that isn't killed. */
export async function startReceivers(): Promise<Receivers> {
  const received = new Map<string, Map<string, number>>();
  let calls = 0;
  const listener = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      calls += 1;
      const receiver = (request.url ?? "").slice(1);
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly id: string };
      const own = received.get(receiver) ?? new Map<string, number>();
      received.set(receiver, own);
      own.set(id, (own.get(id) ?? 0) + 1);
      response.writeHead(204).end();
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    received,
    calls: () => calls,
    subscribe: (server) => subscribeAll(server, origin),
    stop: () => {
      listener.close();
      listener.closeAllConnections();
    },
  };
}

function subscribeAll(server: SubscribedServer, origin: string): Promise<void> {
  const all = recipients.flatMap((recipient) =>
    Object.entries(patterns).map(([name, pattern]) => ({
      receiverUrl: `${origin}/${recipient}/${name}`,
      recipient,
      eventTypes: [pattern],
    })),
  );
  return subscribeReceivers(server, all);
}
