import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { createListener } from "#server/http/http-listener.ts";
import { createWebProxy, type WebProxyOptions } from "#server/http/proxy-to-web.ts";

type SeenRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

/** A listener for a test file that passes requests on to a web process, which records them. */
export function withWebProxy() {
  const folder = mkdtempSync(join(tmpdir(), "catchment-proxy-"));
  const socketPath = join(folder, "web.sock");
  const seen: SeenRequest[] = [];
  let servers: readonly Server[] = [];
  let port = 0;
  beforeAll(async () => {
    const web = createRecorder(seen);
    web.listen(socketPath);
    await once(web, "listening");
    const front = await listenWith("127.0.0.0/8", socketPath);
    servers = [front, web];
    port = portOf(front);
  });
  afterEach(() => {
    seen.length = 0;
  });
  afterAll(() => {
    closeAll(...servers);
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    socketPath,
    /** The requests of this test. */
    seen,
    get port() {
      return port;
    },
  };
}

/** A listener in front of the web process at `path`. */
export async function listenWith(
  trusted: string,
  path: string,
  options: Partial<WebProxyOptions> = {},
): Promise<Server> {
  const proxies = parseCidrList(trusted);
  const trustedProxies = proxies.ok ? proxies.cidrs : [];
  const server = createListener({
    onCatch: (_request, response) => response.end(),
    onOther: createWebProxy({
      socketPath: path,
      publicUrl: "https://hooks.example",
      trustedProxies,
      stallMs: 1_000,
      maxWakeMs: 1_500,
      ...options,
    }),
    maxBodyBytes: 1_000,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

export function closeAll(...servers: readonly Server[]): void {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
}

/** True if the recording web process has responded. */
export const ended = (received: string) => received.includes("saw ");

function createRecorder(seen: SeenRequest[]): Server {
  return createServer((request, response) => {
    let body = "";
    request.setEncoding("latin1");
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body });
      response.writeHead(201, {
        "set-cookie": ["a=1", "b=2"],
        "x-answer": "yes",
        "keep-alive": "timeout=99",
      });
      response.end(`saw ${body.length}`);
    });
  });
}
