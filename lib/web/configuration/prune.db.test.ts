import { expect, test } from "vitest";
import { fileOf, withConfiguration } from "#lib/web/testing/with-configuration.ts";

const configuration = withConfiguration();
const { api } = configuration;

const write = (managedBy: string, ...lines: string[]) =>
  fileOf(`managedBy: ${managedBy}`, ...lines);
const hooks = (...names: string[]) =>
  names.length === 0 ? ["hooks: []"] : ["hooks:", ...names.map((name) => `  - name: ${name}`)];

type Options = Parameters<typeof configuration.apply>[1];
const send = (text: string, options: Options) => configuration.send("plan", [text], options);
const apply = (text: string, options: Options = {}) => configuration.apply([text], options);

const names = async () =>
  (await api.db.hook.findMany({ where: { accountId: configuration.account.id, deletedAt: null } }))
    .map(({ name }) => name)
    .toSorted();
const all = ["A", "B", "C", "D", "E", "F"];

test("prune deletes only what has the mark of the files, and an apply marks what it adopts", async () => {
  await api.createHook({ name: "A" }, configuration.account.token);
  await api.createHook({ name: "Another" }, configuration.account.token);
  const adopted = await apply(write("shop", ...hooks(...all)));
  expect([adopted.adoptedCount, adopted.keptCount]).toEqual([6, 1]);
  const other = await apply(write("crm", ...hooks("X")));
  expect([other.adoptedCount, other.keptCount]).toEqual([1, 7]);
  const without = await send(write("shop", ...hooks("A", "B", "C", "D", "E")), {});
  expect([without.body.items, without.body.prunedCount]).toEqual([[], 0]);
  const pruned = await apply(write("shop", ...hooks("A", "B", "C", "D", "E")), { prune: true });
  expect(pruned.items).toEqual([{ op: "delete", kind: "hook", what: 'hook "F"', changes: [] }]);
  expect(pruned.prunedCount).toBe(1);
  expect(await names()).toEqual(["A", "Another", "B", "C", "D", "E", "X"]);
  const moved = await apply(write("crm", ...hooks("A", "X")));
  expect(moved.adoptedCount).toBe(1);
  expect(moved.toDo).toEqual(['hook "A" was managed by "shop": remove it from those files.']);
});

test("prune refuses to delete more than a fifth unless told", async () => {
  await apply(write("shop", ...hooks(...all)));
  const text = write("shop", ...hooks("A", "B", "C", "D"));
  const refused = await send(text, { prune: true });
  expect([refused.status, refused.body.detail]).toEqual([
    400,
    expect.stringContaining('prune would delete 2 of 6 that "shop" manages, and at most 20 %'),
  ]);
  await apply(text, { prune: true, maxPrunePercent: 40 });
  expect(await names()).toEqual(["A", "B", "C", "D"]);
});

test("a prune of empty files is refused, whatever is allowed, and so is one without a mark", async () => {
  await apply(write("shop", ...hooks(...all)));
  const told = { prune: true, maxPrunePercent: 100 };
  const empty = [
    write("shop"),
    write("shop", ...hooks()),
    write("shop", "hooks: []", "eventTypes: []"),
  ];
  for (const text of [...empty, "", "# hooks:\n", "format: catchment.configuration/1\n"])
    expect([text, (await send(text, told)).status]).toEqual([text, 400]);
  const unmarked = write("shop", ...hooks("A")).replace("managedBy: shop\n", "");
  expect((await send(unmarked, told)).body.errors[0].path).toBe("managedBy");
  expect(await names()).toEqual(all);
});

test("a list that is left out deletes nothing, and the plan says so", async () => {
  const types = ["eventTypes:", "  - name: a.b"];
  await apply(write("shop", ...hooks(...all), ...types));
  const plan = await apply(write("shop", ...types), { prune: true, maxPrunePercent: 100 });
  expect([plan.items, plan.toDo]).toEqual([
    [],
    ["The files have no list of hooks, so 6 that they manage stay. An empty list deletes them."],
  ]);
  await apply(write("shop", ...types, "hooks: []"), { prune: true, maxPrunePercent: 100 });
  expect(await names()).toEqual([]);
});

test("everything that is marked can be pruned together, whatever refers to it", async () => {
  const auth = "auth: { type: bearer, token: t }";
  const origin = 'origin: "https://api.example.com"';
  const request =
    'request: { method: POST, url: "https://api.example.com/a", destination: D, credential: C }';
  const text = write(
    "shop",
    "credentials:",
    `  - { name: C, ${origin}, ${auth} }`,
    "destinations:",
    `  - { name: D, ${origin}, credential: C }`,
    ...hooks("A"),
    "    actions:",
    `      - { name: Call, ${request} }`,
    "recipients:",
    "  - id: cust_1",
    "subscriptions:",
    '  - { receiverUrl: "https://customer.example.com/in", recipient: cust_1 }',
    "alertChannels:",
    '  - { name: Ours, kind: url, url: "https://ops.example.com/a" }',
    "alertRules:",
    "  - { kind: silence, channels: [Ours] }",
    "eventTypes:",
    "  - name: a.b",
    "  - name: a.c",
  );
  await apply(text);
  const lists = [
    "credentials",
    "destinations",
    "hooks",
    "recipients",
    "subscriptions",
    "alertChannels",
    "alertRules",
  ];
  const rest = write("shop", ...lists.map((list) => `${list}: []`), "eventTypes:", "  - name: a.b");
  const pruned = await apply(rest, { prune: true, maxPrunePercent: 100 });
  expect(pruned.items.map(({ op }: { op: string }) => op)).toEqual(Array(9).fill("delete"));
  expect(pruned.prunedCount).toBe(9);
  expect(
    await api.db.configurationMark.findMany({ where: { accountId: configuration.account.id } }),
  ).toMatchObject([{ kind: "event type", itemId: "a.b" }]);
});

test("what is deleted and made again manually has no mark", async () => {
  await apply(write("shop", "eventTypes:", "  - name: a.b", "  - name: a.c"));
  await api.send("DELETE", "/event-types/a.c", undefined, configuration.account.token);
  await api.send("PUT", "/event-types/a.c", {}, configuration.account.token);
  const plan = await apply(write("shop", "eventTypes:", "  - name: a.b"), {
    prune: true,
    maxPrunePercent: 100,
  });
  expect(plan.items).toEqual([]);
});
