import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { ClientHeaders } from "./describe-client.ts";
import type { PublicPath } from "./public-paths.ts";
import { keepHeaders } from "./web-exchange.ts";

/** A whole response of the web process. */
export type KeptResponse = {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
};

/** Asks the web process as a visitor. Null: it is away, or its response can't be kept. */
export type AskWeb = (path: string, headers: readonly string[]) => Promise<KeptResponse | null>;

type Asked = { readonly page: PublicPath; readonly headers: readonly string[] };

/**
 * Keeps public pages in the process that owns the port: the web process makes each of them once in
 * a while, however many ask for it. All copies have the nonce of the first: it is younger than their
 * text, so the text can't know it.
 */
export class PublicPages {
  readonly #kept: LRUCache<string, KeptResponse, Asked>;

  constructor(ask: AskWeb) {
    this.#kept = new LRUCache({
      max: 1_000,
      maxSize: 32 * 1024 * 1024,
      sizeCalculation: ({ body }) => body.length + 1,
      fetchMethod: async (_key, _former, { context: { page, headers } }) => {
        const response = await ask(page.path, headers);
        return response !== null && page.statuses.includes(response.status) ? response : undefined;
      },
    });
  }

  /**
   * Returns the page's response, or undefined if the web process has to respond to this request.
   *
   * @param client what the web process is told about clients. Nothing of one alone is passed on
   */
  async find(
    page: PublicPath,
    { headers }: IncomingMessage,
    client: ClientHeaders,
  ): Promise<KeptResponse | undefined> {
    const host = client["x-forwarded-host"];
    const encoding = /\bgzip\b/.test(headers["accept-encoding"] ?? "") ? "gzip" : "identity";
    const common = { ...client, "x-forwarded-for": "127.0.0.1", host, "accept-encoding": encoding };
    return await this.#kept.fetch(`${encoding} ${host} ${page.path}`, {
      ttl: page.keptMs,
      context: { page, headers: Object.entries(common).flat() },
    });
  }
}

/** Reads a response of the web process. Null if it is cut off, or is for one client alone. */
export async function readWhole(response: IncomingMessage): Promise<KeptResponse | null> {
  const { statusCode = 502, headers, rawHeaders } = response;
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > maxPageBytes) return null;
      parts.push(part);
    }
  } catch {
    return null;
  }
  if (headers["set-cookie"] !== undefined) return null;
  return { status: statusCode, rawHeaders: keepHeaders(rawHeaders), body: Buffer.concat(parts) };
}

const maxPageBytes = 4 * 1024 * 1024;

export function writeKept(
  request: IncomingMessage,
  response: ServerResponse,
  { status, rawHeaders, body }: KeptResponse,
): void {
  if (response.destroyed) return;
  const hasLength = rawHeaders.some((name) => name.toLowerCase() === "content-length");
  const length = hasLength ? [] : ["content-length", String(body.length)];
  response.writeHead(status, [...rawHeaders, ...length]);
  response.end(body);
  request.resume();
}
