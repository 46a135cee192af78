/** A TCP proxy in front of PostgreSQL that can fail as networks do. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

type FaultMode = "pass" | "hang" | "stall" | "refuse";

export type FaultProxy = {
  /** The database's URL by way of the proxy. */
  readonly url: string;
  /**
   * `pass`: as if it weren't there. `hang`: connections stay and take bytes, nothing arrives. `stall`: nothing arrives before it passes
   * again, and nothing is lost, as when a route changes. `refuse`: all are reset.
   */
  setMode(mode: FaultMode): void;
  close(): Promise<void>;
};

export async function startFaultProxy(databaseUrl: string): Promise<FaultProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let mode: FaultMode = "pass";
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
    join(client, upstream);
    join(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  // Not past it, by the socket file.
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
