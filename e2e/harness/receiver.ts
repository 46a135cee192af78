import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedCall = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type Receiver = {
  readonly calls: readonly ReceivedCall[];
  url(path: string): string;
  /** From now on each call is answered with this. */
  answerWith(status: number, body: string): void;
  stop(): void;
};

/** A system that actions call: it remembers what it was sent. */
export async function startReceiver(): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  let answer = { status: 200, body: '{"saved":true}' };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      calls.push({ method, path, headers, body });
      response.writeHead(answer.status, { "content-type": "text/html" }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    answerWith: (status, body) => {
      answer = { status, body };
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
