import { expect, test } from "vitest";
import { fileOf, withConfiguration } from "#lib/web/testing/with-configuration.ts";

const configuration = withConfiguration();
const { api, send, apply } = configuration;

const first = [
  "      - version: first",
  "        schema: { type: object, properties: { total: { type: string } }, required: [total] }",
  "        example: { total: '42' }",
];
const later = [
  "      - version: 2026-03-01",
  "        schema: { type: object, properties: { total: { type: integer } }, required: [total] }",
  "        example: { total: 42 }",
  "        transform: 'export default ({ payload }) => ({ total: String(payload.data.total) })'",
  "        note: A number.",
];
const write = (...versions: readonly string[]) =>
  fileOf("eventTypes:", "  - name: order.paid", "    versions:", ...versions);
const token = () => configuration.account.token;
const versions = async () =>
  (await api.send("GET", "/event-types/order.paid/versions", undefined, token())).body.data;

test("versions are published from files, in their order, and an export plans nothing", async () => {
  await apply([write(...first)]);
  expect(await versions()).toMatchObject([{ version: "first", example: { total: "42" } }]);
  const input = { receiverUrl: "https://a.example.com/in" };
  const pinned = await api.send("POST", "/subscriptions", input, token());
  expect(pinned.body.version).toBe("first");

  const both = write(...first, '        endsAt: "2030-01-01T00:00:00Z"', ...later);
  const added = await apply([both]);
  expect(added.items[0].changes.map(({ path }: { path: string }) => path)).toContain("versions");
  const ends = "2030-01-01T00:00:00.000Z";
  expect(await versions()).toMatchObject([
    { version: "2026-03-01", isNewest: true, note: "A number.", endsAt: null, subscribers: 0 },
    { version: "first", isNewest: false, endsAt: ends, subscribers: 1 },
  ]);
  expect((await send("plan", [both])).body.items).toEqual([]);

  const headers = { accept: "application/yaml" };
  const exported = await api.call("GET", "/api/v1/configuration", { token: token(), headers });
  expect(exported.text).toContain("version: first");
  expect((await apply([exported.text])).items).toEqual([]);
  await configuration.enter();
  await apply([exported.text]);
  expect(await versions()).toMatchObject([{ version: "2026-03-01" }, { endsAt: ends }]);
  const copied = await api.send("GET", "/subscriptions", undefined, token());
  expect(copied.body.data).toMatchObject([{ version: "first" }]);
  // A version that the file no longer has stays, as everything does.
  expect((await apply([write(...first, `        endsAt: "${ends}"`)])).items).toEqual([]);
});

test("what subscribers rely on can't change, and a version that breaks them needs its transform", async () => {
  await apply([write(...first, ...later)]);
  const refuse = async (...lines: readonly string[]) => {
    const { status, body } = await send("plan", [write(...lines)]);
    return [status, body.errors?.[0]?.path, body.errors?.[0]?.message];
  };
  const wider = first.map((line) => line.replace("string", "number").replace("'42'", "42"));
  expect(await refuse(...wider, ...later)).toEqual([
    400,
    expect.stringMatching(/ eventTypes\.0\.versions\.0\.schema$/),
    expect.stringMatching(/^can't change, because subscribers rely on it/),
  ]);
  const next = later.map((line) => line.replace("2026-03-01", "2026-04-01"));
  const breaking = next.map((line) => line.replace("integer", "boolean").replace("42", "true"));
  const bare = breaking.filter((line) => !line.includes("transform"));
  expect(await refuse(...first, ...later, ...bare)).toEqual([
    400,
    expect.stringMatching(/ eventTypes\.0\.versions\.2/),
    expect.stringContaining("data.total may be boolean, and was integer"),
  ]);
  expect(await refuse(...later)).toEqual([
    400,
    expect.stringMatching(/ eventTypes\.0\.versions$/),
    'must begin with the version "first"',
  ]);
  expect(await refuse(...first, ...next, ...later)).toEqual([
    400,
    expect.stringMatching(/ eventTypes\.0\.versions$/),
    "must be in the order of their dates, each once",
  ]);
  expect(await versions()).toHaveLength(2);
});
