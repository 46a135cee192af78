import { createServer, request as openRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMetricsHandler } from "./metrics-handler.ts";

const read = async () => "catchment_database_up 1\n";
const otherwise = createMetricsHandler({ token: null, read }, (_request, response) =>
  response.writeHead(404).end(),
);
const server = createServer(createMetricsHandler({ token: undefined, read }, otherwise));
const withToken = createServer(createMetricsHandler({ token: "t0ken", read }, otherwise));
const all = [server, withToken];
beforeAll(() =>
  Promise.all(all.map((one) => new Promise<void>((done) => one.listen(0, "127.0.0.1", done)))),
);
afterAll(() => all.forEach((one) => void one.close()));

/** Node's own client sends any Host, and what browsers add by themselves is given. */
function ask(headers: Record<string, string>, of = server): Promise<number | undefined> {
  const address = of.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return new Promise((resolve, reject) => {
    const sent = openRequest({ host: "127.0.0.1", port, path: "/metrics", headers, agent: false });
    sent.on("error", reject);
    sent.on("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.end();
  });
}

/** The headers that a browser adds to a request of a page, where `Sec-Fetch-…` is sent to https and localhost only. */
const browser = { "accept-language": "en", accept: "*/*", "user-agent": "Mozilla/5.0" };
const prometheus = {
  accept: "application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1",
  "accept-encoding": "gzip",
  "user-agent": "Prometheus/3.7.3",
  "x-prometheus-scrape-timeout-seconds": "10",
};

describe("metrics on a port without a token", () => {
  it.each([
    "evil.example:9464",
    "evil.example",
    "EVIL.example.:9464",
    "127.0.0.1.evil.example",
    "7f000001.rbndr.us:9464",
    "localhost.evil.example",
    "a.localhost",
    "[::1].evil.example",
    "127.0.0.1@evil.example",
  ])("are kept from a page whose name points here: %j", async (host) => {
    expect(await ask({ host, ...browser })).toBe(421);
    expect(await ask({ host, ...browser, "accept-language": "" })).toBe(421);
    expect(await ask({ host, origin: "http://evil.example" })).toBe(421);
    expect(await ask({ host, "sec-fetch-site": "same-origin" })).toBe(421);
    expect(await ask({ host, referer: "http://evil.example:9464/" })).toBe(421);
  });

  it.each([
    "localhost:9464",
    "LOCALHOST",
    "127.0.0.1:9464",
    "10.0.0.7",
    "[::1]:9464",
    "[fd00::7]",
    "catchment:9464",
  ])("are there for a person's browser under %s", async (host) => {
    expect(await ask({ host, ...browser })).toBe(200);
  });

  it.each(["catchment.internal:9464", "hooks.example.com", "catchment.prod.svc.cluster.local"])(
    "are there for Prometheus and curl under %s",
    async (host) => {
      expect(await ask({ host, ...prometheus })).toBe(200);
      expect(await ask({ host, accept: "*/*", "user-agent": "curl/8.17.0" })).toBe(200);
    },
  );
});

it("with a token, any name will do, because no page has it", async () => {
  const host = "hooks.example.com";
  expect(await ask({ host, ...browser, authorization: "Bearer t0ken" }, withToken)).toBe(200);
  expect(await ask({ host, ...browser }, withToken)).toBe(401);
});
