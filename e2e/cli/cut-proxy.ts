import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A network between the command line and the server that can go away. */
export type CutProxy = {
  readonly origin: string;
  /** Ends all connections. While it is away, new ones end at once. */
  cut(isAway?: boolean): void;
  restore(): void;
  stop(): void;
};

export async function startCutProxy(origin: string): Promise<CutProxy> {
  const { hostname: host, port } = new URL(origin);
  const open = new Set<Socket>();
  let isAway = false;
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => socket.destroy());
  };
  const server = createServer((client) => {
    if (isAway) return void client.destroy();
    const upstream = connect(Number(port), host);
    keep(client);
    keep(upstream);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  const cut = (away = false) => {
    isAway = away;
    for (const socket of open) socket.destroy();
  };
  return {
    origin: `http://127.0.0.1:${address.port}`,
    cut,
    restore: () => {
      isAway = false;
    },
    stop: () => {
      cut(true);
      server.close();
    },
  };
}
