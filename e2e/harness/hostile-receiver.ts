import { createServer, type Server } from "node:http";
import { xssCorpus } from "./xss-corpus.ts";

/**
 * Responds to every call with the text whose number is in the path, as body, header, and status
 * text.
 */
export async function startHostileReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const text = xssCorpus[Number(request.url?.slice(1))] ?? "";
    const line = text.replace(/[^\x20-\x7e]/g, "").slice(0, 500);
    response.writeHead(500, line === "" ? "x" : line, {
      "content-type": "text/html",
      "x-answer": line,
    });
    response.end(text.slice(0, 60_000));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
