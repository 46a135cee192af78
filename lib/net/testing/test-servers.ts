import { createServer as createHttpServer, type RequestListener } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";

export type TestServer = {
  readonly port: number;
  /** The number of accepted connections so far. */
  connections(): number;
  /** The number of open connections. */
  openConnections(): number;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A real HTTP server on a free loopback port. */
export function serveHttp(listener: RequestListener, host = "127.0.0.1"): Promise<TestServer> {
  return listen(createHttpServer({ keepAliveTimeout: 60_000 }, listener), host);
}

/** A raw TCP server: `onRequest` gets the socket once the first bytes of a request have arrived. */
export function serveBytes(
  onRequest: (socket: Socket) => void,
  host = "127.0.0.1",
): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => onRequest(socket));
  });
  return listen(server, host);
}

export async function listen(server: Server, host: string): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on("connection", (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((done, fail) => server.once("error", fail).listen(0, host, done));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => accepted,
    openConnections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
