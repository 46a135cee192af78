import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";

/** Something between the command line and the server that isn't as one would wish. */
export type Network = {
  readonly origin: string;
  /** What it did to requests or connections so far, in its own words. */
  readonly did: ReadonlyMap<string, number>;
  stop(): void;
};

function count(did: Map<string, number>, what: string): void {
  did.set(what, (did.get(what) ?? 0) + 1);
}

async function listen(server: ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy as companies have it: only what asks for CONNECT gets through. */
export async function startConnectProxy(): Promise<Network> {
  const did = new Map<string, number>();
  const open = new Set<Socket>();
  const server = createServer((_request, response) => {
    count(did, "refused without CONNECT");
    response.writeHead(405).end();
  });
  server.on("connect", ({ url = "" }, client: Socket) => {
    count(did, "connected");
    const [host = "", port] = url.split(":");
    const upstream = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket)).on("error", () => socket.destroy());
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  const origin = await listen(server);
  const stop = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { origin, did, stop };
}

type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  upstream: IncomingMessage,
) => void;

/** The server behind TLS, with a certificate of its own. */
export async function startTlsFront(
  serverOrigin: string,
  folder: string,
): Promise<{ readonly origin: string; readonly certificate: string; stop(): void }> {
  const { hostname, port } = new URL(serverOrigin);
  const key = join(folder, "tls.key");
  const certificate = join(folder, "tls.crt");
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", key, "-out", certificate];
  const flags = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
  execFileSync("openssl", [...flags, ...subject, ...files], { stdio: "ignore" });
  const pem = { key: readFileSync(key), cert: readFileSync(certificate) };
  const server = createTlsServer(pem, (client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) socket.on("error", () => socket.destroy());
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  const origin = (await listen(server)).replace("http:", "https:");
  return { origin, certificate, stop: () => void server.close() };
}

/** A reverse proxy in front of the server, which hands responses on as `handle` does. */
async function startReverseProxy(
  serverOrigin: string,
  did: Map<string, number>,
  handle: Handle,
): Promise<Network> {
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    const sent = request(`${serverOrigin}${url}`, { method, headers }, (upstream) =>
      handle(incoming, response, upstream),
    );
    sent.on("error", () => response.destroy());
    response.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  server.on("upgrade", (_request, socket: Socket) => {
    count(did, "refused an upgrade");
    socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
  });
  const origin = await listen(server);
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin, did, stop };
}

function passOn(response: ServerResponse, upstream: IncomingMessage): void {
  response.writeHead(upstream.statusCode ?? 502, upstream.headers);
  upstream.pipe(response);
}

/** Refuses every upgrade, as one that knows no WebSockets. */
export async function startPlainProxy(serverOrigin: string): Promise<Network> {
  const did = new Map<string, number>();
  return await startReverseProxy(serverOrigin, did, (_incoming, response, upstream) => {
    count(did, "passed on");
    passOn(response, upstream);
  });
}

/** Hands a response on once it is complete, which a stream never is. */
export async function startBufferingProxy(serverOrigin: string): Promise<Network> {
  const did = new Map<string, number>();
  return await startReverseProxy(serverOrigin, did, async (incoming, response, upstream) => {
    count(did, incoming.url?.includes("/stream") ? "held a stream back" : "passed on");
    const body = await readAll(upstream);
    const { "transfer-encoding": _, ...headers } = upstream.headers;
    if (body === null) return void response.destroy();
    response.writeHead(upstream.statusCode ?? 502, { ...headers, "content-length": body.length });
    response.end(body);
  });
}

/** Null: it ended before it was complete. */
async function readAll(upstream: IncomingMessage): Promise<Buffer | null> {
  try {
    return Buffer.concat(await Array.fromAsync(upstream));
  } catch {
    return null;
  }
}

/** Cuts connections on which nothing was said for this time, as load balancers do. */
export async function startIdleProxy(serverOrigin: string, idleMs: number): Promise<Network> {
  const { hostname, port } = new URL(serverOrigin);
  const did = new Map<string, number>();
  const open = new Set<Socket>();
  const server = createTcpServer((client) => {
    const upstream = connect(Number(port), hostname);
    let bytesDown = 0;
    client.setTimeout(idleMs, () => {
      // An idle connection that is kept for later requests may be cut. A stream must not be idle.
      count(did, bytesDown > 0 && isStream ? "cut a stream" : "cut a connection that was kept");
      client.destroy();
    });
    let isStream = false;
    client.on("data", (chunk) => {
      isStream = chunk.toString("latin1").includes("/stream?");
      if (isStream) count(did, "saw a stream");
    });
    upstream.on("data", (chunk) => {
      bytesDown += chunk.length;
    });
    relay(client, upstream, open);
  });
  const origin = await listen(server);
  const stop = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { origin, did, stop };
}

/** Notes when each stream was asked for, also while the server is away. */
export async function startCountingProxy(
  serverOrigin: string,
): Promise<Network & { readonly attempts: readonly number[] }> {
  const { hostname, port } = new URL(serverOrigin);
  const did = new Map<string, number>();
  const attempts: number[] = [];
  const open = new Set<Socket>();
  const server = createTcpServer((client) => {
    attempts.push(Date.now());
    const upstream = connect(Number(port), hostname);
    relay(client, upstream, open);
  });
  const origin = await listen(server);
  const stop = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { origin, did, attempts, stop };
}

/** Passes bytes both ways until one side ends. `open` has both meanwhile. */
function relay(client: Socket, upstream: Socket, open: Set<Socket>): void {
  for (const socket of [client, upstream]) {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => socket.destroy());
  }
  client.on("close", () => upstream.destroy());
  upstream.on("close", () => client.destroy());
  client.pipe(upstream).pipe(client);
}
