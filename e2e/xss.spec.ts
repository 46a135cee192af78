import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import type { Client } from "pg";
import { connectTo } from "#e2e/harness/connect-to.ts";
import { type Dashboard, startDashboard } from "./harness/dashboard.ts";
import { startHostileReceiver } from "./harness/hostile-receiver.ts";
import { countStrangeElements, watchForScripts } from "./harness/watch-for-scripts.ts";
import { xssCorpus } from "./harness/xss-corpus.ts";

let dashboard: Dashboard;
let hostile: Server;
let origin: string;

const ids = {
  hooks: [] as string[],
  actions: [] as string[],
  deliveries: [] as string[],
  subscriptions: [] as string[],
  events: [] as string[],
};

test.beforeAll(async () => {
  dashboard = await startDashboard("xss");
  origin = dashboard.server.origin;
});
test.afterAll(async () => await dashboard?.stop());

/**
 * A hook and an action for each text that the API accepts as a name. Three texts share a delivery,
 * each in another place, so that a third of the pages shows them all. In lists each text is in
 * every place.
 */
async function makeHooks(): Promise<void> {
  const { port } = hostile.address() as AddressInfo;
  for (const [at, text] of xssCorpus.entries()) {
    const name = text.slice(0, 150);
    const hook = await dashboard
      .makeHook({ name })
      .catch(() => dashboard.makeHook({ name: `Refused ${at}` }));
    ids.hooks.push(hook.id);
    if (at % 3 !== 0) continue;
    for (const near of [at, at + 1, at + 2].filter((one) => one < xssCorpus.length))
      ids.actions.push(await makeAction(hook.id, near, `http://127.0.0.1:${port}/${near}`));
    ids.deliveries.push(await deliver(hook.catchUrl, at));
  }
}

async function makeAction(hookId: string, at: number, url: string): Promise<string> {
  const request = { method: "POST", url, body: { got: "{{ payload }}" } };
  const fields = { name: (xssCorpus[at] ?? "").slice(0, 150), request, retry: { maxAttempts: 1 } };
  const make = (more: object) =>
    dashboard.api("POST", `/hooks/${hookId}/actions`, { ...fields, ...more });
  const made = await make({}).catch(() => make({ name: `Refused ${at}` }));
  return String(made.id);
}

/** Three texts, in every place that a provider fills. */
async function deliver(catchUrl: string, at: number): Promise<string> {
  const [type = "", id = "", other = ""] = xssCorpus.slice(at, at + 3);
  const inUrl = encodeURIComponent(other.toWellFormed().slice(0, 200));
  const line = other.replace(/[^\x20-\x7e]/g, "").slice(0, 500);
  const keys = Object.fromEntries([type, id, other].map((text) => [text.slice(0, 5_000), [text]]));
  const url = `${catchUrl}/${inUrl.replaceAll("%2F", "x").replaceAll("%00", "")}?${inUrl}=${inUrl}`;
  return await dashboard.deliver(url, JSON.stringify({ ...keys, id, type }), {
    "content-type": `application/json; x="${line.replace(/["\\]/g, "")}"`,
    "user-agent": line === "" ? "x" : line,
    "x-text": line,
  });
}

/** One delivery with all of them as keys and values. */
async function deliverAll(catchUrl: string): Promise<string> {
  const all = Object.fromEntries(
    xssCorpus.map((text, at) => [`${at} ${text.slice(0, 500)}`, text.slice(0, 2_000)]),
  );
  return await dashboard.deliver(catchUrl, JSON.stringify({ id: "all", ...all }));
}

/** All of them in one delivery, each in one of its own, and bodies that aren't JSON. */
async function deliverCorpus(): Promise<void> {
  const hook = await dashboard.makeHook({ name: "All of them" });
  ids.hooks.push(hook.id);
  for (const [at, text] of xssCorpus.entries())
    if (at % 3 !== 0)
      await dashboard.deliver(hook.catchUrl, JSON.stringify({ id: `${text}${at}`, type: text }));
  ids.deliveries.push(await deliverAll(hook.catchUrl));
  const text = xssCorpus.map((one) => one.slice(0, 500)).join("\n");
  for (const type of ["text/html", "image/svg+xml", "text/javascript"])
    ids.deliveries.push(await dashboard.deliver(hook.catchUrl, text, { "content-type": type }));
}

/** Bypasses our form validation, as if it had a hole. */
async function nameEverything(): Promise<void> {
  const storable = [
    ...new Set(
      xssCorpus.map((text) => text.toWellFormed().replaceAll("\u0000", "").slice(0, 1_000)),
    ),
  ];
  await using client = await connectTo(dashboard.server.databaseUrl());
  await client.query(
    `with account as (select id from accounts where slug = $1), owner as (
      update users set name = $2 where email = $3 returning id
    ), renamed as (
      update accounts set name = $2 where id in (select id from account)
    ), signed_in as (
      insert into sessions (id, user_id, expires_at, user_agent)
      select gen_random_uuid(), owner.id, now() + interval '1 day', text from owner, unnest($4::text[]) text
    )
    insert into api_tokens (id, account_id, name, token_hash, hint, scopes)
    select gen_random_uuid(), account.id, text, sha256(convert_to($1 || text, 'utf8')), 'hint', '{hooks:read}'
    from account, unnest($4::text[]) text`,
    [dashboard.account.slug, storable[0], dashboard.account.email, storable],
  );
  await publishEverything(client, storable);
}

/** A text in every field of a subscription, a recipient, an event type, a notice, and an event. */
async function publishEverything(client: Client, storable: readonly string[]): Promise<void> {
  const given = `select account.id as account_id, text, place
    from accounts account, unnest($2::text[]) with ordinality as given(text, place) where account.slug = $1`;
  const insert = async (sql: string): Promise<string[]> => {
    const { rows } = await client.query<{ id: string }>(
      sql.replace("from given", `from (${given}) given`),
      [dashboard.account.slug, storable],
    );
    return rows.map(({ id }) => id);
  };
  await insert(`insert into recipients (account_id, id, name, metadata)
    select account_id, 'cust_' || place, text, json_build_object(text, text) from given returning id`);
  await insert(`insert into event_types (account_id, name, description, schema, example)
    select account_id, 'type_' || place, text, json_build_object('title', text), json_build_object(text, text)
    from given returning name as id`);
  ids.subscriptions = await insert(`
    insert into subscriptions (id, account_id, recipient, receiver_url, description, event_types, metadata, status,
      status_reason)
    select uuid_v7_at(clock_timestamp()), account_id, 'cust_' || place, 'https://example.com/' || text, text,
      array[text], json_build_object(text, text), 'disabled', 'challenge: ' || text
    from given returning id`);
  await insert(`insert into notices (id, account_id, kind, subscription_id, detail)
    select uuid_v7_at(clock_timestamp()), given.account_id, 'subscription_failing', s.id, text
    from given join subscriptions s on s.description = given.text returning id`);
  ids.events = await insert(`
    insert into events (id, account_id, public_id, type, recipient, warning, body)
    select uuid_v7_at(clock_timestamp()), account_id, text, text, 'cust_' || place, text, convert_to(json_build_object(
      'id', text, 'type', text, 'timestamp', '2026-11-22T00:00:00.000Z',
      'data', json_build_object(text, text))::text, 'utf8')
    from given returning id`);
}

async function expectNothingRan(page: Page, seen: readonly string[]): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await countStrangeElements(page), page.url()).toBe(0);
  expect(seen, page.url()).toEqual([]);
}

test("this test notices a script that runs, a policy violation, and a request to another host", async ({
  page,
}) => {
  const seen = await watchForScripts(page, origin);
  await page.route("**/teeth", (route) =>
    route.fulfill({
      contentType: "text/html",
      body:
        "<h1>Teeth</h1><img src=x onerror=xss()><img " +
        'src="https://evil.example/pixel.png"><script>alert(1)</script>',
    }),
  );
  await page.goto(`${origin}/teeth`);
  await expect.poll(() => seen.join("\n")).toMatch(/xss\(\) was called/);
  expect(seen.join("\n")).toMatch(/a dialog: 1/);
  expect(seen.join("\n")).toMatch(/a request to https:\/\/evil\.example/);
  expect(await countStrangeElements(page)).toBe(2);
});

test("the page of a delivery with every text as key and value runs none, in any tab", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: `"><img src=x onerror=xss()>` });
  const seen = await watchForScripts(page, origin);
  await dashboard.open(page, `/deliveries/${await deliverAll(hook.catchUrl)}`);
  for (const tab of await page.getByRole("tab").all()) await tab.click();
  await expectNothingRan(page, seen);
});

test.describe("every page with every text", { tag: "@variant" }, () => {
  test.beforeAll(async () => {
    hostile = await startHostileReceiver();
    await makeHooks();
    await deliverCorpus();
    await nameEverything();
  });
  test.afterAll(() => hostile?.close());

  test("no list, form, or menu runs foreign text", async ({ page }) => {
    const seen = await watchForScripts(page, origin);
    const all = ids.hooks.at(-1);
    const reflected = encodeURIComponent(`"'><script>xss()</script><img src=x onerror=xss()>`);
    for (const path of [
      "/",
      "/hooks",
      "/deliveries",
      "/runs",
      "/account",
      "/account/tokens",
      "/account/sending",
      "/events",
      "/events/new",
      "/subscriptions",
      `/subscriptions/new?recipient=${reflected}`,
      "/recipients",
      "/event-types",
      `/event-types/new?name=${reflected}`,
      `/events?q=${reflected}&type=${reflected}&recipient=${reflected}&cursor=${reflected}`,
      `/hooks/${all}`,
      `/hooks/${all}/settings`,
      `/hooks/${all}/actions/new`,
      `/deliveries?q=${reflected}&eventType=${reflected}&eventId=${reflected}&status=${reflected}&cursor=${reflected}`,
      `/runs?status=${reflected}&hookId=${reflected}`,
      `/nowhere/${reflected}`,
    ]) {
      await dashboard.open(page, path);
      await expectNothingRan(page, seen);
    }
    await dashboard.open(page, "/deliveries");
    await page.getByRole("button", { name: "Search Ctrl K" }).click();
    for (const text of ["script", "xss", '"><img src=x onerror=xss()>']) {
      await page.getByRole("dialog").getByRole("combobox").fill(text);
      await expect(page.getByText(/^\d+ results?$|^Nothing has this name/).first()).toBeVisible();
    }
    await expectNothingRan(page, seen);
  });

  test("no page of a delivery runs what arrived, what was sent on, or the response", async ({
    page,
  }) => {
    const seen = await watchForScripts(page, origin);
    for (const id of ids.deliveries) {
      await dashboard.open(page, `/deliveries/${id}`);
      for (const attempt of await page.getByText("Attempt 1", { exact: true }).all())
        await attempt.click();
      await expectNothingRan(page, seen);
    }
    for (const id of ids.deliveries.slice(-4)) {
      await dashboard.open(page, `/deliveries/${id}`);
      for (const tab of await page.getByRole("tab").all()) await tab.click();
      await expectNothingRan(page, seen);
    }
  });

  test("no editor of a hostile action runs anything, with a hostile payload beside it", async ({
    page,
  }) => {
    const seen = await watchForScripts(page, origin);
    for (const [at, id] of ids.actions.entries()) {
      // Each name is in a list that was checked. Of three with the same payload one is opened.
      if (at % 3 !== 2) continue;
      await dashboard.open(page, `/actions/${id}`);
      await expectNothingRan(page, seen);
    }
  });

  test("no page of an event, a subscription, a recipient, or an event type runs anything", async ({
    page,
  }) => {
    const seen = await watchForScripts(page, origin);
    for (const [at, id] of ids.subscriptions.entries()) {
      // Each text is in a list that was checked. Of three with the same fields one is opened.
      if (at % 3 !== 0) continue;
      for (const path of [
        `/subscriptions/${id}`,
        `/subscriptions/${id}/settings`,
        `/recipients/cust_${at + 1}`,
        `/event-types/type_${at + 1}`,
        `/events/${ids.events[at]}`,
      ]) {
        await dashboard.open(page, path);
        await expectNothingRan(page, seen);
      }
    }
  });

  test("the sign-in pages run nothing from their URL", async ({ page }) => {
    const seen = await watchForScripts(page, origin);
    for (const text of xssCorpus.filter((_, at) => at % 3 === 0)) {
      const next = encodeURIComponent(text.toWellFormed().slice(0, 500));
      await page.goto(`${origin}/sign-in?next=${next}&error=${next}`);
      await expectNothingRan(page, seen);
    }
  });
});
