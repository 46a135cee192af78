import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Handed = {
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
};

/** A developer's program, as `listen` hands deliveries to it. */
export type Target = {
  readonly url: string;
  readonly handed: readonly Handed[];
  /** The status of its next responses. */
  status: number;
  /** The body of its next responses. */
  respond: (handed: Handed) => string;
  stop(): void;
};

export async function startTarget(): Promise<Target> {
  const handed: Handed[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", rawHeaders } = request;
      const got = { method, path, rawHeaders, bytes: Buffer.concat(chunks) };
      if (target.status < 500) handed.push(got);
      response.writeHead(target.status, { "x-from": "localhost" }).end(target.respond(got));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const target: Target = {
    url: `http://127.0.0.1:${port}/webhooks`,
    handed,
    status: 200,
    respond: () => "ok",
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return target;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
