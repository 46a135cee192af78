import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";

export type ReceivedCall = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
};

export type Receiver = {
  readonly port: number;
  readonly url: string;
  readonly calls: ReceivedCall[];
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * A real HTTP server that plays the receiver and records its calls. `respond` may do so late or
 * never.
 */
export async function startReceiver(
  respond: (response: ServerResponse, call: ReceivedCall) => void = (response) =>
    response.end("ok"),
): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const call = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
        at: performance.now(),
      };
      calls.push(call);
      respond(response, call);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    url: `http://127.0.0.1:${port}/in`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
