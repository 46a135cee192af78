import { globSync } from "node:fs";
import { NextRequest } from "next/server";
import { beforeAll, expect, it, vi } from "vitest";
import {
  describeNeededRole,
  type Permission,
  permissions,
} from "#lib/schema/account/permissions.ts";
import { addReaders, type Readers } from "#lib/web/testing/add-readers.ts";
import type { Thing } from "#lib/web/testing/api-rows.ts";
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

/** Every page of the dashboard × a role that may not read. All of today's may, so the test makes one. */
const api = withApi();
let things: Record<Thing, string>;
let cookies: Readers["cookies"];

beforeAll(async () => {
  // Components that aren't run complain.
  vi.spyOn(console, "error").mockImplementation(() => {});
  things = await createThings(api, api.account);
  ({ cookies } = await addReaders(api));
});

const stored = structuredClone(permissions);
const all = Object.keys(permissions) as Permission[];

function takeFromAdmins(taken: readonly Permission[]): void {
  for (const name of taken) Object.assign(permissions[name], { role: "owner" });
}

function giveBack(): void {
  Object.assign(permissions, structuredClone(stored));
}

/** Whether admins see a page once only owners have these permissions. */
async function isShownWithout(taken: readonly Permission[], path: string): Promise<boolean> {
  takeFromAdmins(taken);
  try {
    setBrowserToken(cookies.admin);
    const [params = {}] = listParams(nameOfPage(path), listThings(things));
    const text = await openPage(path, params);
    return !text.includes(describeNeededRole("audit:read"));
  } catch (error) {
    expect(error).toMatchObject({ code: "forbidden" });
    return false;
  } finally {
    giveBack();
  }
}

/** The permission to see each page. */
const needs: Readonly<Record<string, readonly Permission[]>> = {
  "account/alerts": ["alerts:read"],
  "account/audit": ["audit:read"],
  "account/data": ["account:read"],
  "account/general": ["account:read"],
  account: ["profile:write"],
  "account/people": ["members:read"],
  "account/sending": ["account:read"],
  "account/sign-in": ["profile:write"],
  "account/tokens": ["account:read"],
  "account/usage": ["account:read"],
  "actions/[id]": ["hooks:read", "deliveries:read"],
  "actions/[id]/versions/[number]": ["hooks:read"],
  "actions/[id]/versions": ["hooks:read"],
  "backtests/[id]": ["hooks:read", "deliveries:read"],
  "credentials/[id]": ["hooks:read"],
  credentials: ["hooks:read"],
  "deliveries/[id]": ["deliveries:read"],
  deliveries: ["deliveries:read"],
  "destinations/[id]": ["hooks:read"],
  destinations: ["hooks:read"],
  "event-types/[name]": ["subscriptions:read"],
  "event-types/[name]/versions/[version]": ["subscriptions:read"],
  "event-types/[name]/versions/new": ["subscriptions:read"],
  "event-types/import": ["subscriptions:read"],
  "event-types/new": ["subscriptions:read"],
  "event-types": ["subscriptions:read"],
  "events/[id]": ["events:read"],
  "events/new": ["events:read", "account:read"],
  events: ["events:read"],
  "hooks/[id]/actions/import": ["hooks:read"],
  "hooks/[id]/actions/new": ["hooks:read", "deliveries:read"],
  "hooks/[id]": ["hooks:read", "deliveries:read"],
  "hooks/[id]/backfill": ["hooks:read", "deliveries:read"],
  "hooks/[id]/registration": ["hooks:read"],
  "hooks/[id]/settings": ["hooks:read"],
  "hooks/[id]/settings/provider": ["hooks:read"],
  "hooks/new": ["hooks:read"],
  hooks: ["hooks:read", "deliveries:read"],
  "": ["hooks:read", "deliveries:read", "events:read", "subscriptions:read"],
  "problems/[id]": ["deliveries:read", "members:read"],
  "problems/failures": ["deliveries:read", "subscriptions:read"],
  problems: ["deliveries:read"],
  "recipients/[id]": ["events:read", "subscriptions:read"],
  recipients: ["subscriptions:read"],
  runs: ["deliveries:read"],
  "subscriptions/[id]": ["deliveries:read", "events:read", "subscriptions:read"],
  "subscriptions/[id]/settings": ["hooks:read", "subscriptions:read", "account:read"],
  "subscriptions/new": ["hooks:read", "subscriptions:read", "account:read"],
  subscriptions: ["subscriptions:read"],
};

const pages = dashboardPages.filter((path) => path.endsWith("page.tsx"));

it.each(pages)("%s", async (path) => {
  const name = nameOfPage(path);
  expect(await isShownWithout(all, path)).toBe(false);
  const needed = needs[name] ?? [];
  const others = all.filter((each) => !needed.includes(each));
  // None of the others is needed if they all can be missed. Otherwise each is tried, to name it.
  const tried = (await isShownWithout(others, path)) ? needed : all;
  const found: Permission[] = [];
  for (const each of tried) if (!(await isShownWithout([each], path))) found.push(each);
  expect(found).toEqual(needs[name]);
});

/** The routes that open pages request. */
const query = "list=deliveries&q=shop&format=csv";

it.each(globSync("app/(dashboard)/**/route.ts").toSorted())("%s", async (path) => {
  const { GET } = await import(/* @vite-ignore */ `${process.cwd()}/${path}`);
  const id = path.includes("/actions/") ? things.action : things.delivery;
  takeFromAdmins(all);
  setBrowserToken(cookies.admin);
  const request = new NextRequest(`https://hooks.example.test/?${query}`);
  const response: Response = await GET(request, { params: Promise.resolve({ id }) });
  giveBack();
  // How far the person's own download is, which isn't there.
  expect(response.status).toBe(path.endsWith("/progress/route.ts") ? 404 : 403);
});

it("a role that may read nothing still gets the frame of its pages", async () => {
  for (const path of dashboardPages.filter((each) => each.endsWith("layout.tsx")))
    expect(await isShownWithout(all, path)).toBe(true);
});
