import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStatuses, sendRaw } from "#server/testing/catch-harness.ts";
import { closeAll, listenWith, portOf, withWebProxy } from "#server/testing/with-web-proxy.ts";
import { createListener } from "./http-listener.ts";
import { respondNoDashboard } from "./web-responses.ts";

const proxy = withWebProxy();

test("an unavailable web process is 503 with Retry-After, a disabled one 404", async () => {
  const lonely = await listenWith("10.0.0.0/8", join(proxy.folder, "nobody.sock"));
  const request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const { received } = await sendRaw(portOf(lonely), request);
  expect(readStatuses(received)).toEqual([503]);
  expect(received).toMatch(/retry-after: \d/i);
  lonely.close();
  const catchOnly = createListener({
    onCatch: () => {},
    onOther: respondNoDashboard,
    maxBodyBytes: 10,
  });
  catchOnly.listen(0, "127.0.0.1");
  await once(catchOnly, "listening");
  const none = await sendRaw(portOf(catchOnly), request);
  expect(readStatuses(none.received)).toEqual([404]);
  catchOnly.close();
});

test("a sleeping web process is woken and gets the waiting requests unchanged", async () => {
  const path = join(proxy.folder, "sleeper.sock");
  const bodies: string[] = [];
  const sleeper = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    response.end("awake");
  });
  let wakes = 0;
  const bedroom = await listenWith("10.0.0.0/8", path, {
    maxWakeMs: 120_000,
    wake: () => {
      wakes += 1;
      // The first wake-up was lost: it was just falling asleep.
      if (wakes === 4) sleeper.listen(path);
    },
  });
  const requests = ["first", "second"].map((body) =>
    fetch(`http://127.0.0.1:${portOf(bedroom)}/`, { method: "POST", body }),
  );
  const responses = await Promise.all(
    (await Promise.all(requests)).map((response) => response.text()),
  );
  expect(responses).toEqual(["awake", "awake"]);
  expect(bodies.toSorted()).toEqual(["first", "second"]);
  closeAll(bedroom, sleeper);
});

test("a web process that never wakes is 503 in the end", async () => {
  let wakes = 0;
  const lonely = await listenWith("10.0.0.0/8", join(proxy.folder, "nobody.sock"), {
    wake: () => {
      wakes += 1;
    },
  });
  const url = `http://127.0.0.1:${portOf(lonely)}/`;
  const responses = await Promise.all([
    fetch(url),
    fetch(url, { method: "POST", body: "x".repeat(900) }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([503, 503]);
  expect(wakes).toBeGreaterThan(2);
  closeAll(lonely);
});

test("with every slot taken, another request waits, gets an error, and is served once one is free", async () => {
  const path = join(proxy.folder, "slots.sock");
  const web = createServer((request, response) => {
    response.write("started ");
    if (request.url !== "/endless") response.end("and ended");
  });
  web.listen(path);
  const narrow = await listenWith("10.0.0.0/8", path, { maxInFlight: 1, maxQueueMs: 200 });
  const url = `http://127.0.0.1:${portOf(narrow)}`;
  const leaving = new AbortController();
  const endless = await fetch(`${url}/endless`, { signal: leaving.signal });
  expect(endless.status).toBe(200);

  const rejected = await fetch(url, { method: "POST", body: "x".repeat(900) });
  expect(rejected.status).toBe(503);
  expect(rejected.headers.get("retry-after")).toBe("2");
  expect(await rejected.json()).toMatchObject({
    detail: expect.stringContaining("at capacity"),
  });

  leaving.abort();
  // The slot is free once the front has seen that the client left.
  const welcome = async () => await (await fetch(url)).text();
  await expect.poll(welcome).toBe("started and ended");
  closeAll(narrow, web);
});

test("a browser gets a page that loads again, until there is a dashboard", async () => {
  const path = join(proxy.folder, "late.sock");
  const front = await listenWith("10.0.0.0/8", path, { maxWakeMs: 0 });
  const url = `http://127.0.0.1:${portOf(front)}/hooks`;
  const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const page = await fetch(url, { headers });
  expect(page.status).toBe(503);
  expect(page.headers.get("retry-after")).toBe("2");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const text = await page.text();
  expect(text).toContain('<meta http-equiv="refresh" content="2">');
  expect(text).toContain("The dashboard is starting or restarting");
  // A form that can't be sent now must not look as if it was.
  const sent = await fetch(url, { method: "POST", headers, body: "a=1" });
  expect(await sent.json()).toMatchObject({ code: "unavailable" });
  closeAll(front);
});
