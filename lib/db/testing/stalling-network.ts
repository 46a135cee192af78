import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type StallingNetwork = {
  /** The database's URL by way of this network. */
  readonly url: string;
  /** Nothing arrives any more, and nothing is lost. */
  stall(): void;
  goOn(): void;
  close(): void;
};

/** The way to PostgreSQL through a network that can stand still, as one does for half a minute when a route changes. */
export async function startStallingNetwork(databaseUrl: string): Promise<StallingNetwork> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("error", () => {});
    from.on("data", (chunk) => to.write(chunk));
    from.on("close", () => to.destroy());
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
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
    stall() {
      for (const socket of sockets) socket.pause();
    },
    goOn() {
      for (const socket of sockets) socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
