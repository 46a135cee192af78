import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { toError } from "#lib/base/errors.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { withoutPagesScript } from "#server/system/paths.ts";
import { respondUnavailable, type Unavailable } from "./web-responses.ts";

type Serve = (request: Request) => Promise<Response> | undefined;

/**
 * Serves the API without Next, while the dashboard is being built.
 *
 * @param explain says why there is no page yet
 */
export async function openWithoutPages(explain: () => Unavailable): Promise<RequestListener> {
  const { serveWithoutPages } = (await import(pathToFileURL(withoutPagesScript).href)) as {
    serveWithoutPages: Serve;
  };
  return (request, response) => {
    respond(request, response, serveWithoutPages, explain).catch((error) => {
      logCounted("error", "request.failed", { error: toError(error).message });
      response.destroy();
    });
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  serve: Serve,
  explain: () => Unavailable,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const serving = serve(toRequest(request, gone.signal));
  if (serving === undefined) return respondUnavailable(request, response, explain());
  const { status, headers, body } = await serving;
  response.writeHead(status, [...headers].flat());
  if (body === null) response.end();
  else await pipeline(Readable.from(body), response).catch(() => response.destroy());
}

function toRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", url = "/", headers } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: toHeaders(request),
    signal,
    // `duplex` is required with a stream as the body.
    ...(hasBody && { body: Readable.toWeb(request), duplex: "half" }),
  } as RequestInit);
}

function toHeaders({ headers }: IncomingMessage): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const each of [value].flat()) if (each !== undefined) result.append(name, each);
  return result;
}
