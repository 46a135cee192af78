/** A TCP proxy in front of PostgreSQL that fails the way networks do. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

type FaultMode = "pass" | "hang" | "stall" | "refuse";

export type FaultProxy = {
  /** The database's URL through the proxy. */
  readonly url: string;
  /**
   * `pass`: no fault. `hang`: connections stay open and accept bytes, but nothing arrives. `stall`:
   * nothing arrives until it passes again, and nothing is lost, as when a route changes. `refuse`:
   * all connections are reset.
   */
  setMode(mode: FaultMode): void;
  close(): Promise<void>;
};

type FaultProxyOptions = {
  /**
   * Delays each connection with this application name except the first, by `delayMs`, so that it
   * comes back last.
   */
  readonly slowest?: { readonly applicationName: string; readonly delayMs: number };
};

export async function startFaultProxy(
  databaseUrl: string,
  { slowest }: FaultProxyOptions = {},
): Promise<FaultProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let mode: FaultMode = "pass";
  let hasHadSlowest = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  const join = (from: Socket, to: Socket) => {
    from.on("data", (chunk) => {
      if (mode !== "hang") to.write(chunk);
    });
    from.on("close", () => to.destroy());
  };
  const server = createServer((client) => {
    track(client);
    if (mode === "refuse") {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    track(upstream);
    join(upstream, client);
    if (slowest === undefined) {
      join(client, upstream);
      return;
    }
    // The first bytes contain the application name.
    client.once("data", (hello: Buffer) => {
      const isSlow = hello.includes(slowest.applicationName) && hasHadSlowest;
      hasHadSlowest ||= hello.includes(slowest.applicationName);
      if (isSlow) client.pause();
      setTimeout(
        () => {
          upstream.write(hello);
          join(client, upstream);
          client.resume();
        },
        isSlow ? slowest.delayMs : 0,
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  // The proxy connects over TCP, because it can't intercept the socket file.
  url.searchParams.delete("host");
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    setMode(next) {
      mode = next;
      for (const socket of sockets) {
        if (next === "stall") socket.pause();
        else socket.resume();
      }
      if (next === "refuse") for (const socket of sockets) socket.resetAndDestroy();
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
