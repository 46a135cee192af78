import { globSync, readFileSync } from "node:fs";
import { NextRequest } from "next/server";
import { beforeAll, expect, it, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import type { Role } from "#lib/schema/account/role.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import { putMaskedFields } from "#lib/services/masked-fields.ts";
import { addCanaries, type Canaries, canary, maskedFields } from "#lib/web/testing/add-canaries.ts";
import { addReaders, type Readers } from "#lib/web/testing/add-readers.ts";
import { type Row, rows, type Thing } from "#lib/web/testing/api-rows.ts";
import { commandLines } from "#lib/web/testing/command-lines.ts";
import { type Command, loadCommands } from "#lib/web/testing/command-place.ts";
import { createThings } from "#lib/web/testing/create-things.ts";
import {
  dashboardPages,
  listParams,
  listThings,
  nameOfPage,
  openPage,
} from "#lib/web/testing/dashboard-pages.ts";
import { setBrowserToken } from "#lib/web/testing/next-headers.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

/**
 * Every page, route, command, and call that a viewer may use, as a viewer and as a member (pages also
 * as an admin and an owner), over payloads with a canary in every masked field. A page, route, or call
 * that is added is read too.
 */
const api = withApi();
let things: Record<Thing, string>;
let canaries: Canaries;
let commands: ReadonlyMap<string, Command>;
let cookies: Readers["cookies"];
let tokens: Readers["tokens"];

beforeAll(async () => {
  // Components that aren't run complain.
  vi.spyOn(console, "error").mockImplementation(() => {});
  commands = await loadCommands();
  things = await createThings(api, api.account);
  canaries = await addCanaries(api, api.account, things);
  const accountId = api.account.id;
  await putMaskedFields(serviceContext({ type: "system", accountId }), { fields: maskedFields });
  ({ cookies, tokens } = await addReaders(api));
});

/** True if a text has the canary, as it is or in base64 at any offset. */
function hasCanary(text: string): boolean {
  const forms = [0, 1, 2].map((offset) =>
    Buffer.from(`${" ".repeat(offset)}${canary}`)
      .toString("base64")
      .slice(offset === 0 ? 0 : 4, -4),
  );
  return [canary, ...forms].some((form) => text.includes(form));
}

/** The texts that both read of a place. The member's text shows that there was something to mask. */
async function compare(read: (as: "viewer" | "member") => Promise<string>): Promise<boolean> {
  const masked = await read("viewer");
  expect(hasCanary(masked), excerpt(masked)).toBe(false);
  return hasCanary(await read("member"));
}

function excerpt(text: string): string {
  const at = text.indexOf(canary);
  return text.slice(Math.max(0, at - 300), at + 100);
}

const shownTo = new Set<string>();
const record = (place: string, isShown: boolean) => isShown && shownTo.add(place);

const isReading = ({ method, scope }: Row) => method === "GET" || isAllowed("viewer", scope);
const calls = rows
  .filter(isReading)
  .map((row): [string, Row] => [`${row.method} ${row.path}`, row]);

it.each(calls)("%s", async (name, { method, path, of, made, body }) => {
  const ids = of === undefined ? [made ?? ""] : [things[of]];
  const all =
    of === "delivery"
      ? canaries.deliveries
      : of === "event"
        ? [canaries.event]
        : await idsOf(of, ids);
  for (const id of all) {
    const filled = path
      .replace(/\{(id|name)\}/, () => id)
      .replace("{number}", "1")
      .replace("{gapId}", things.gap);
    const read = async (token: string) => {
      const sent = { token, ...(body === undefined ? {} : { body }) };
      const response = await api.call(method, `/api/v1${filled}`, sent);
      expect(response.status).not.toBe(500);
      return response.text;
    };
    record(name, await compare((as) => read(tokens[as])));
    expect(hasCanary(await read(tokens.reader))).toBe(false);
  }
});

/** Runs of all kinds. */
async function idsOf(of: Thing | undefined, ids: readonly string[]): Promise<readonly string[]> {
  if (of !== "run") return ids;
  const { body } = await api.send("GET", "/runs?limit=100");
  return body.data.map(({ id }: { id: string }) => id);
}

/** More ways to open some pages. */
const openedWith: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  deliveries: [
    { columns: "email,card.number,users.0.email,message" },
    { status: "rejected", columns: "email" },
  ],
  "hooks/[id]": [{ columns: "email,card.number" }],
  runs: [{ group: "reason" }, { status: "failed" }],
};

it.each(dashboardPages)("%s", async (path) => {
  const name = nameOfPage(path);
  const deliveries = canaries.deliveries.map((delivery) => ({ delivery }));
  const searches = /actions\/(new|\[id\])$/.test(name) ? deliveries : openedWith[name];
  let isCompared = false;
  for (const params of listParams(name, listShown()))
    for (const searchParams of [{}, ...(searches ?? [])]) {
      const read = async (as: Role) => {
        setBrowserToken(cookies[as]);
        return await openPage(path, params, searchParams);
      };
      const isShown = await compare(read);
      record(name, isShown);
      // Once is enough to see that they get what a member gets.
      if (isCompared || !isShown) continue;
      isCompared = true;
      for (const role of ["admin", "owner"] as const)
        expect(hasCanary(await read(role)), role).toBe(true);
    }
});

const listShown = () => ({
  ...listThings(things),
  actions: [things.action, canaries.steps],
  deliveries: canaries.deliveries,
  events: [canaries.event],
});

/** The queries with which each route is asked. */
const asked: Readonly<Record<string, () => readonly string[]>> = {
  choices: () => ["of=hooks", "of=actions"],
  "deliveries/[id]/raw": () => [""],
  download: () =>
    ["deliveries", "runs", "events", "subscriptions"].flatMap((list) =>
      ["csv", "ndjson"].map((format) => `list=${list}&format=${format}`),
    ),
  "download/progress": () => ["id=0"],
  "event-types": () => ["", `hookId=${things.hook}`, "of=events"],
  // It sends ids. What it finds them by is tested below.
  live: () => [],
  palette: () => [""],
  search: () => ["q=evt", `q=${canaries.deliveries[0]}`],
  "search-on": () => [
    "list=deliveries&columns=email,card.number",
    "list=runs",
    "list=events",
    `list=deliveries&ofHook=${things.hook}&columns=email`,
  ],
};

it.each(globSync("app/(dashboard)/**/route.ts").toSorted())("%s", async (path) => {
  const { GET } = await import(/* @vite-ignore */ `${process.cwd()}/${path}`);
  const name = path.replace(/^app\/\(dashboard\)\/(api\/)?/, "").replace(/\/route\.ts$/, "");
  const queries = name === "actions/[id]/export" ? [""] : asked[name]?.();
  if (queries === undefined) throw new Error(`Say how ${path} is asked`);
  const ids = name.startsWith("actions") ? [things.action] : canaries.deliveries;
  for (const id of name.includes("[id]") ? ids : [""])
    for (const query of queries) {
      const read = async (as: "viewer" | "member") => {
        setBrowserToken(cookies[as]);
        const request = new NextRequest(`https://hooks.example.test/?${query}`);
        const response: Response = await GET(request, { params: Promise.resolve({ id }) });
        return await response.text();
      };
      record(name, await compare(read));
    }
});

/** They end the session. */
const leaves = /^(changePassword|endSession|leaveAccount|signOutEverywhere)Command$/;
const tried = Object.keys(commandLines).filter((name) => !leaves.test(name));
const mapped = JSON.stringify({
  ...{ filter: null, formerKey: null, itemIndex: 0, earlier: [] },
  step: {
    ...{ key: "a", kind: "call" },
    request: { method: "POST", url: "https://a.example", body: { e: "{{ payload.email }}" } },
  },
});

it.each(tried)("%s", async (name) => {
  const [delivery] = canaries.deliveries;
  const place = {
    ...{ hook: things.hook, action: things.action, delivery, run: things.run, id: newId() },
    ...{ event: canaries.event, subscription: things.subscription, token: "none" },
  };
  const given = commandLines[name]?.(place) ?? [];
  const args = name === "previewStepCommand" ? [...given.slice(0, 2), mapped] : given;
  // A member's commands change things, so that only what viewers get is looked at first.
  const read = async (as: "viewer" | "member") => {
    setBrowserToken(cookies[as]);
    try {
      return JSON.stringify(await commands.get(name)?.(...args)) ?? "";
    } catch (error) {
      return String(error);
    }
  };
  const asMember = /^(list|preview|propose|read|tally)/.test(name);
  record(
    name,
    await compare((as) => (as === "viewer" || asMember ? read(as) : Promise.resolve(""))),
  );
});

it("members see what viewers see masked, on every kind of place", () => {
  const home = "";
  expect([...shownTo].toSorted()).toEqual([
    home,
    ...["GET /backtests/{id}/results", "GET /deliveries", "GET /deliveries/export"],
    ...["GET /deliveries/{id}", "GET /deliveries/{id}/responses", "GET /deliveries/{id}/why"],
    ...["GET /events", "GET /events/export"],
    ...["GET /events/{id}", "GET /failures", "GET /problems", "GET /problems/{id}", "GET /runs"],
    ...["GET /runs/export", "GET /runs/{id}", "actions/[id]", "backtests/[id]", "deliveries"],
    ...["deliveries/[id]", "deliveries/[id]/raw", "download", "events", "events/[id]"],
    ...["hooks/[id]", "hooks/[id]/actions/new", "previewStepCommand", "previewTransformCommand"],
    "problems",
    ...["problems/[id]", "problems/failures"],
    ...["readPayloadCommand", "readSentEventCommand", "recipients/[id]", "runs"],
    "subscriptions/[id]",
  ]);
});

it("pages and commands ask only for the database of their user", () => {
  const files = globSync("app/(dashboard)/**/*.{ts,tsx}");
  const others = files.filter((path) => readFileSync(path, "utf8").includes("serverContext("));
  expect(others).toEqual([]);
});

it("a viewer can't find what is masked", async () => {
  const [delivery] = canaries.deliveries;
  for (const q of [canary, `email = ${canary}`, `users.0.email = ${canary}`]) {
    const find = async (list: string, token: string) =>
      (await api.send("GET", `/${list}?q=${encodeURIComponent(q)}`, undefined, token)).text;
    if (!q.startsWith("users")) expect(await find("deliveries", tokens.member)).toContain(delivery);
    for (const list of ["deliveries", "runs", "events"])
      for (const token of [tokens.viewer, tokens.reader])
        expect(JSON.parse(await find(list, token)).data).toEqual([]);
  }
});

it("a viewer's live list doesn't find it either", async () => {
  const { GET } = await import("./(dashboard)/api/live/route.ts");
  const open = async (as: "viewer" | "member", q: string) => {
    setBrowserToken(cookies[as]);
    const url = `https://hooks.example.test/?${new URLSearchParams({ list: "deliveries", q })}`;
    return readIds(await GET(new NextRequest(url)));
  };
  const found = await open("member", `email = ${canary}`);
  const masked = await open("viewer", `email = ${canary}`);
  // A watcher of the same feed, which is asked after the one before it.
  const control = await open("viewer", "evt_1");
  await vi.waitUntil(() => found.ids.length > 0 && control.ids.length > 0, { timeout: 60_000 });
  for (const { reader } of [found, masked, control]) await reader?.cancel();
  expect(found.ids).toContain(canaries.deliveries[0]);
  expect(masked.ids).toEqual([]);
});

function readIds({ body }: Response) {
  const ids: string[] = [];
  const reader = body?.getReader();
  const read = async () => {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      const [, data] = /^data: (.*)$/m.exec(Buffer.from(part.value).toString()) ?? [];
      if (data !== undefined) ids.push(...JSON.parse(data).ids);
    }
  };
  void read();
  return { ids, reader };
}
