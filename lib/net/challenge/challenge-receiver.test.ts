import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, expect, it } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { createHttpClient } from "../http-client.ts";
import { challengeReceiver } from "./challenge-receiver.ts";

const loopback = parseCidrList("127.0.0.0/8");
const client = createHttpClient({ allow: loopback.ok ? loopback.cidrs : [] });
let server: Server | undefined;

afterEach(() => server?.close());
afterAll(() => client.close());

async function challenge(receive: RequestListener) {
  const started = createServer(receive);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const { port } = started.address() as AddressInfo;
  return await challengeReceiver(client, {
    receiverUrl: `http://127.0.0.1:${port}/in`,
    challenge: "text-that-is-hard-to-guess",
    origin: "hooks.example.com",
    version: "1.2.3",
  });
}

const echo = (name: string) => (given: string | string[] | undefined) => ({
  [name]: String(given),
});

it.each<[string, RequestListener]>([
  [
    "the header is echoed",
    (request, response) =>
      response
        .writeHead(204, echo("Webhook-Challenge")(request.headers["webhook-challenge"]))
        .end(),
  ],
  [
    "the body is the challenge",
    (request, response) => response.end(`${request.headers["webhook-challenge"]}\n`),
  ],
  [
    "OPTIONS allows our origin",
    ({ method, headers }, response) =>
      method === "OPTIONS"
        ? response
            .writeHead(200, echo("webhook-allowed-origin")(headers["webhook-request-origin"]))
            .end()
        : response.writeHead(405).end(),
  ],
])("it is answered if %s", async (_how, receive) => {
  expect(await challenge(receive)).toEqual({ ok: true });
});

it.each<[string, RequestListener, string]>([
  ["nothing is echoed", (_request, response) => response.end("ok"), "HTTP 200"],
  [
    "another text is echoed",
    (_request, response) => response.writeHead(200, { "webhook-challenge": "x" }).end(),
    "HTTP 200",
  ],
  [
    "an error echoes it",
    (request, response) =>
      response
        .writeHead(500, echo("webhook-challenge")(request.headers["webhook-challenge"]))
        .end(),
    "HTTP 500",
  ],
  [
    "OPTIONS allows another origin",
    ({ method }, response) =>
      method === "OPTIONS"
        ? response.writeHead(200, { "webhook-allowed-origin": "other.example" }).end()
        : response.end(),
    "HTTP 200",
  ],
  [
    "it redirects to a page that would",
    (_request, response) => response.writeHead(302, { location: "https://example.com" }).end(),
    "HTTP 302",
  ],
])("it is not answered if %s", async (_how, receive, cause) => {
  expect(await challenge(receive)).toEqual({ ok: false, cause });
});

it("says who asks, with POST and OPTIONS", async () => {
  const agents: (string | undefined)[] = [];
  await challenge(({ headers }, response) => {
    agents.push(headers["user-agent"]);
    response.end();
  });
  expect(agents).toEqual(["Catchment/1.2.3", "Catchment/1.2.3"]);
});
