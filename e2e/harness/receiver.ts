import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

type ReceivedCall = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
};

export type Receiver = {
  readonly calls: readonly ReceivedCall[];
  url(path: string): string;
  /** Sets the response to each later call, or to those to one path. */
  respondWith(status: number, body: string, path?: string): void;
  /** Stops recording and answering calls to this path. */
  hang(path: string): void;
  stop(): void;
};

/** A system that actions call. It records what it receives. */
export async function startReceiver(): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  let usual = { status: 200, body: '{"saved":true}' };
  const byPath = new Map<string, typeof usual>();
  const hanging = new Set<string>();
  const server = createServer((request, response) => {
    if (request.url !== undefined && hanging.has(request.url)) return;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const { method = "", url: path = "", headers } = request;
      calls.push({ method, path, headers, body: bytes.toString(), bytes });
      const { status, body: text } = byPath.get(path) ?? usual;
      response.writeHead(status, { "content-type": "text/html" }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    respondWith(status, text, path) {
      if (path === undefined) usual = { status, body: text };
      else byPath.set(path, { status, body: text });
    },
    hang(path) {
      hanging.add(path);
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
