import { setTimeout as delay } from "node:timers/promises";
import { check, sayMore } from "#e2e/crash/say-verdicts.ts";
import {
  type Network,
  startBufferingProxy,
  startConnectProxy,
  startIdleProxy,
  startPlainProxy,
  startTlsFront,
} from "../parts/networks.ts";
import { sendNumbers, waitForNumbers } from "../parts/numbers.ts";
import { type Place, startPlace } from "../parts/place.ts";

type Networks = { readonly folder: string; readonly isQuick: boolean };

/** (d) Behind each of four proxies, deliveries arrive. */
export async function proveNetworks({ folder, isQuick }: Networks): Promise<void> {
  const idleMs = isQuick ? 20_000 : 60_000;
  const place = await startPlace({ folder });
  try {
    const { origin } = place.server();
    const tls = await startTlsFront(origin, folder);
    await prove(place, "connect", await startConnectProxy(), {
      env: ({ origin: proxy }) => ({
        ...{ CATCHMENT_URL: tls.origin, HTTPS_PROXY: proxy, NO_PROXY: "" },
        NODE_EXTRA_CA_CERTS: tls.certificate,
      }),
      expects: ({ did }) => did.has("connected") && !did.has("refused without CONNECT"),
    });
    await prove(place, "upgrades", await startPlainProxy(origin), {
      expects: ({ did }) => did.get("refused an upgrade") === undefined,
    });
    await prove(place, "buffer", await startBufferingProxy(origin), {
      expects: ({ did }) => did.get("held a stream back") === 1,
    });
    await prove(place, "idle", await startIdleProxy(origin, idleMs), {
      idleMs: idleMs + 15_000,
      expects: ({ did }) => did.get("cut a stream") === undefined && did.get("saw a stream") === 1,
    });
    tls.stop();
  } finally {
    await place.stop();
  }
}

type Proof = {
  readonly env?: (network: Network) => Readonly<Record<string, string>>;
  /** The time between two deliveries without any. */
  readonly idleMs?: number;
  readonly expects: (network: Network) => boolean;
};

async function prove(place: Place, tag: string, network: Network, proof: Proof): Promise<void> {
  const { env = ({ origin }) => ({ CATCHMENT_URL: origin }), idleMs = 0, expects } = proof;
  const { catchUrl } = await place.makeHook({ name: tag });
  const command = place.listen([tag], env(network));
  await command.until("ready", 1, 60_000).catch((error: Error) => sayMore(error.message));
  const send = (from: number) =>
    sendNumbers({ catchUrl, tag, from, count: 50, ratePerSecond: 100 });
  await send(0);
  const early = await waitForNumbers(place.target, { [tag]: 50 }, 60_000);
  await delay(idleMs);
  const sentAt = performance.now();
  await send(50);
  const missing = await waitForNumbers(place.target, { [tag]: 100 }, 60_000);
  const tookMs = Math.round(performance.now() - sentAt);
  const did = [...network.did].map(([what, times]) => `${what}: ${times}`).join(", ");
  sayMore(`${tag}: ${did || "nothing to say"}; the last 50 came within ${tookMs} ms`);
  check(early.length + missing.length === 0, `${tag}: all 100 arrive`, missing);
  check(expects(network), `${tag}: the proxy did what it is for, and nothing else`);
  const lost = command.said.filter(({ type }) => type === "lost").length;
  check(lost === 0, `${tag}: the connection isn't lost`);
  command.process.kill("SIGINT");
  await command.ended;
  network.stop();
}
