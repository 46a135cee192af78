import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { RawConnection } from "#e2e/harness/raw-connection.ts";
import { setUpHook } from "#e2e/harness/set-up-hook.ts";
import { makeStripeBody, makeStripeRequest } from "#e2e/harness/stripe-delivery.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import type { Measured } from "../stage/stage.ts";

/** Milliseconds from sending a delivery until its call arrives. */
type CatchToCall = { readonly p50: number; readonly p95: number };

let measured = 0;

/**
 * Measures at an even pace. This process sends and receives, so that one clock measures both ends.
 */
export async function measureCatchToCall(
  { server, port }: Measured,
  seconds: number,
  perSecond: number,
): Promise<CatchToCall> {
  measured += 1;
  const sentAt = new Map<string, number>();
  const waits: number[] = [];
  const receiver = createServer(async (request, response) => {
    const arrivedAt = performance.now();
    const { eventId } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
      eventId: string;
    };
    response.end();
    waits.push(arrivedAt - (sentAt.get(eventId) ?? Number.NaN));
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const sinkUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const hook = await setUpHook({ ...server, sinkUrl, name: `catch to call ${measured}` });
  const idle: RawConnection[] = [];
  const open = () => {
    const connection: RawConnection = new RawConnection({
      port,
      onResponse: () => idle.push(connection),
      onLost: () => {},
    });
    return connection;
  };
  const all = new Set<RawConnection>();
  const count = seconds * perSecond;
  for (let n = 0; n < count; n += 1) {
    const eventId = `evt_wait_${measured}_${n}`;
    const request = makeStripeRequest(hook.path, makeStripeBody(eventId), Date.now());
    const connection = idle.shift() ?? open();
    all.add(connection);
    sentAt.set(eventId, performance.now());
    connection.send(request);
    await delay(1_000 / perSecond);
  }
  await waitUntil("all calls", 60_000, () => (waits.length >= count ? true : undefined));
  for (const connection of all) connection.destroy();
  receiver.close();
  receiver.closeAllConnections();
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}
