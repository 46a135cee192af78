/** Requests of pages in a browser: https://fetch.spec.whatwg.org/#http-cors-protocol */
import { expect, test } from "vitest";
import { addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send, sendJson } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();
const shop = "https://shop.example";
const other = "https://other.example";
const allowOf = ({ headers }: { headers: Headers }) => headers.get("access-control-allow-origin");

function ask(hook: TestHook, origin: string, headers: Record<string, string> = {}) {
  return send(bench.caught.port, hook.path, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST", ...headers },
  });
}

test("a page of an allowed origin may ask, send, and read every response", async () => {
  const hook = await addHook(bench.db, { cors: { origins: [shop] }, methods: ["POST", "PUT"] });
  const asked = await ask(hook, shop, { "access-control-request-headers": "content-type,x-cart" });
  expect(asked.status).toBe(204);
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    "access-control-allow-origin": shop,
    "access-control-allow-methods": "POST, PUT",
    "access-control-allow-headers": "content-type,x-cart",
    "access-control-max-age": "600",
    vary: "origin",
  });
  expect(await readDeliveries(bench.db, hook)).toEqual([]);
  for (const [body, status] of [
    ['{"id":1}', 200],
    ['{"id":1}', 200],
    ["{", 400],
  ] as const) {
    const sent = await sendJson(bench.caught.port, hook.path, body, { origin: shop });
    expect([sent.status, allowOf(sent), sent.headers.get("vary")]).toEqual([
      status,
      shop,
      "origin",
    ]);
  }
  const refused = await send(bench.caught.port, hook.path, {
    method: "DELETE",
    headers: { origin: shop },
  });
  expect([refused.status, allowOf(refused)]).toEqual([405, shop]);
});

test("no credentials are ever allowed", async () => {
  const hook = await addHook(bench.db, { cors: { origins: ["*"] } });
  for (const response of [
    await ask(hook, shop),
    await sendJson(bench.caught.port, hook.path, { id: 1 }, { origin: shop, cookie: "a=b" }),
  ])
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
});

test.each([
  [[shop], shop, shop],
  [[shop, "http://localhost:5173"], "http://localhost:5173", "http://localhost:5173"],
  [["*"], other, "*"],
  [["*"], "null", "*"],
  [[shop], other, null],
  [[shop], "null", null],
  [[shop], `${shop}.evil.example`, null],
  [[shop], `${shop}:8443`, null],
  [[shop], "http://shop.example", null],
  [null, shop, null],
])("with %j, a page of %s is told %j", async (origins, origin, allowed) => {
  const hook = await addHook(bench.db, { cors: origins === null ? null : { origins } });
  const asked = await ask(hook, origin);
  expect([asked.status, allowOf(asked)]).toEqual([allowed === null ? 405 : 204, allowed]);
  // It is still a delivery: CORS only decides what the page may read.
  const sent = await sendJson(bench.caught.port, hook.path, { id: 1 }, { origin });
  expect([sent.status, allowOf(sent)]).toEqual([200, allowed]);
  // A cache must not give one origin the response to another, or to a client that isn't a page.
  const vary = origins === null || origins.includes("*") ? null : "origin";
  const plain = await sendJson(bench.caught.port, hook.path, { id: 1 });
  expect([asked, sent, plain].map(({ headers }) => headers.get("vary"))).toEqual([
    vary,
    vary,
    vary,
  ]);
  expect(allowOf(plain)).toBeNull();
  expect(await readDeliveries(bench.db, hook)).toHaveLength(2);
});

test("an origin that was just added is allowed at once", async () => {
  const hook = await addHook(bench.db);
  expect((await ask(hook, shop)).status).toBe(405);
  const patch = { id: hook.id, cors: { origins: [shop] } };
  await updateHook(testContext(bench.db, hook.accountId), patch);
  expect((await ask(hook, shop)).status).toBe(204);
});

test("headers that aren't a list of names are not repeated", async () => {
  const hook = await addHook(bench.db, { cors: { origins: [shop] } });
  const asked = await ask(hook, shop, { "access-control-request-headers": "a: b; c" });
  expect([asked.status, asked.headers.get("access-control-allow-headers")]).toEqual([204, null]);
});

test("an OPTIONS that no page sends stays a request that isn't accepted", async () => {
  const hook = await addHook(bench.db, { cors: { origins: [shop] } });
  const plain = await send(bench.caught.port, hook.path, { method: "OPTIONS" });
  expect(plain.status).toBe(405);
  expect((await readDeliveries(bench.db, hook)).map(({ status }) => status)).toEqual(["rejected"]);
});
