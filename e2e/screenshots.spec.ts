import { mkdirSync } from "node:fs";
import { expect, type Page, type Request, type Response, test } from "@playwright/test";
import {
  type Dashboard,
  expectAccessible,
  startDashboard,
  waitUntilPainted,
} from "./harness/dashboard.ts";
import { readLayoutShift } from "./harness/layout-shift.ts";
import { dashboardPages, emptyPages, publicPages, type Seeded } from "./seeds/pages.ts";
import { seedProblems } from "./seeds/seed-problems.ts";
import { seedReceivers } from "./seeds/seed-receivers.ts";
import { seedSending } from "./seeds/seed-sending.ts";
import { seedShop } from "./seeds/seed-shop.ts";

/** The folder of the pictures. Git ignores it. */
const folder = "screenshots";
type Layout = {
  readonly size: { width: number; height: number };
  readonly theme: "light" | "dark";
};

const computing = /^(Working it out|Looking at the latest deliveries)…/;
const wide = { width: 1280, height: 800 };
const narrow = { width: 390, height: 844 };
const layouts: readonly Layout[] = [
  { size: wide, theme: "light" },
  { size: wide, theme: "dark" },
  { size: narrow, theme: "light" },
  { size: narrow, theme: "dark" },
];
/** Checked by `npm test`: charts and lists, a form, and a page without an account. */
const keyPages = ["home", "action", "portal"];
const keyLayouts: readonly Layout[] = [
  { size: wide, theme: "dark" },
  { size: narrow, theme: "light" },
];

const promise = "no axe violations, no errors, few requests, nothing moves or leaves the screen";
/** Requests of a page view to the server: the page, and parts of it that come later. */
const maxRequests = 12;

let dashboard: Dashboard;
/** The dashboard of an empty account. */
let empty: Dashboard;
let seeded: Seeded;

test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  dashboard = await startDashboard("acme");
  empty = await startDashboard("empty");
  const shop = await seedShop(dashboard);
  const sending = await seedSending(dashboard);
  const of = { ...shop, subscriptionId: sending.failingSubscriptionId };
  const problems = await seedProblems(dashboard, of);
  await dashboard.api("PUT", "/masked-fields", { fields: ["**.email", "data.object.id"] });
  seeded = { ...shop, ...sending, ...(await seedReceivers(dashboard)), ...problems };
});
test.afterAll(async () => {
  await dashboard?.stop();
  await empty?.stop();
});

for (const name of keyPages)
  test(`${name}, wide and dark, narrow and light: ${promise}`, async ({ page }) =>
    await checkPage(page, name, keyLayouts));

/** Each menu and dialog: the page that it is on, and what opens it. */
const overlays: Readonly<
  Record<string, readonly [page: string, open: (page: Page) => Promise<void>]>
> = {
  "row-menu": ["hooks", (page) => press(page, /^More for/)],
  "action-menu": ["action", (page) => press(page, /^More for/)],
  "action-replay": ["action", (page) => press(page, "Replay…")],
  palette: ["home", (page) => page.keyboard.press("Control+k")],
  "bulk-retry": ["runs-failed", (page) => press(page, "Retry all of these…")],
  "export-menu": ["deliveries", (page) => press(page, "Export")],
  "views-menu": ["runs", (page) => press(page, "Views")],
  columns: ["deliveries", (page) => press(page, "Columns")],
  "channel-new": ["alerts", (page) => press(page, "New channel")],
  "channel-edit": ["alerts", (page) => press(page, /^Edit the channel/)],
  "channel-delete": [
    "alerts",
    async (page) => {
      await press(page, /^More for the channel/);
      await page.getByRole("menuitem", { name: "Delete…" }).click();
    },
  ],
  "rule-edit": ["alerts", (page) => press(page, /^Edit the rule/)],
  selection: ["runs-failed", (page) => page.locator("tbody").getByRole("checkbox").first().check()],
};

// The file takes longer than all others together, so every worker takes a part of it.
test.describe("variants", { tag: "@variant" }, () => {
  test.describe.configure({ mode: "parallel" });

  for (const name of Object.keys({ ...dashboardPages, ...emptyPages, ...publicPages }))
    test(`${name}: ${promise}`, async ({ page }) => await checkPage(page, name, layouts));

  for (const [name, [place, open]] of Object.entries(overlays))
    test(`${name} of ${place}, open: no axe violations, and within the screen`, async ({
      page,
    }) => {
      for (const { size, theme } of layouts) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
        await dashboard.open(page, dashboardPages[place]?.(seeded) ?? "/nowhere");
        // What loads late. The end of a request isn't always reported, so it isn't waited for without end.
        await page.waitForLoadState("networkidle", { timeout: 30_000 }).catch(() => {});
        await open(page);
        await expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
        await page.screenshot({ path: `${folder}/open-${name}-${theme}-${size.width}.png` });
      }
    });
});

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("main").getByRole("button", { name }).first().click();
}

async function checkPage(page: Page, name: string, layouts: readonly Layout[]): Promise<void> {
  const from = name in emptyPages ? empty : dashboard;
  const path = emptyPages[name] ?? (dashboardPages[name] ?? publicPages[name])?.(seeded);
  if (path === undefined) throw new Error(`There is no page ${name}`);
  const problems = collectProblems(page);
  const scripts = collectScripts(page);
  const [document] = await Promise.all([
    page.waitForResponse((response) => response.request().isNavigationRequest()),
    name in publicPages ? page.goto(`${from.server.origin}${path}`) : from.open(page, path),
  ]);
  await expectStrictPolicy(page, document);
  const missing = page.getByRole("heading", { name: "Page not found" });
  await expect(missing).toHaveCount(name === "not-found" ? 1 : 0);
  for (const layout of layouts) await takePicture(page, name, layout);
  const scriptBytes = await weighFirstScripts(await document.text(), scripts);
  expect(scriptBytes).toBeLessThan(250_000);
  const views = [await watchView(page, wide), await watchView(page, narrow)];
  expect(Math.max(...views.map(({ shift }) => shift))).toBeLessThan(0.02);
  for (const { requests } of views)
    expect(requests.length, requests.join()).toBeLessThanOrEqual(maxRequests);
  expect(problems).toEqual([]);
  const moved = views.map(({ shift }) => shift.toFixed(3)).join(" and ");
  const asked = views.map(({ requests }) => requests.length).join(" and ");
  const weight = (scriptBytes / 1000).toFixed(0);
  process.stdout.write(
    `${name}: ${weight} kB of scripts, ${asked} requests, layout shift ${moved}\n`,
  );
}

/**
 * Reloads the page. @returns how much of it moves by itself, and what it asks the server for.
 * Static files don't count: the browser has them.
 */
async function watchView(
  page: Page,
  size: Layout["size"],
): Promise<{ shift: number; requests: readonly string[] }> {
  await page.setViewportSize(size);
  const requests: string[] = [];
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith("/_next/static/")) requests.push(pathname + search);
  };
  page.on("request", note);
  await page.reload({ waitUntil: "networkidle" });
  await expect(page.getByText(computing)).toHaveCount(0);
  page.off("request", note);
  return { shift: await readLayoutShift(page), requests };
}

async function takePicture(page: Page, name: string, { size, theme }: Layout): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveClass(new RegExp(`\\b${theme}\\b`));
  // Some pages compute something after loading.
  await expect(page.getByText(computing)).toHaveCount(0);
  // A narrow dark page doesn't differ for axe.
  if (size.width > 600 || theme === "light") await expectAccessible(page);
  else await waitUntilPainted(page);
  const { scrollWidth, clientWidth, height } = await page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight } = document.documentElement;
    return { scrollWidth, clientWidth, height: scrollHeight };
  });
  expect(scrollWidth).toBe(clientWidth);
  // The window is as tall as the page, so that sticky elements are at the page's edge. A long list
  // repeats itself further down.
  await page.setViewportSize({
    ...size,
    height: Math.min(Math.max(height, size.height), 2_000),
  });
  await page.screenshot({
    path: `${folder}/${name}-${theme}-${size.width}.png`,
    // Elements as tall as the screen have grown with it.
    fullPage: height < 2_000,
  });
}

type Script = { readonly path: string; readonly bytes: number };

/** Every script that the page fetches, with its transfer size. */
function collectScripts(page: Page): Promise<Script>[] {
  const scripts: Promise<Script>[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() !== "script") return;
    const { pathname, search } = new URL(request.url());
    scripts.push(
      request
        .sizes()
        .then(({ responseBodySize }) => ({ path: pathname + search, bytes: responseBodySize })),
    );
  });
  return scripts;
}

/** The size in bytes of the scripts in the HTML. Later scripts don't block the page. */
async function weighFirstScripts(
  html: string,
  scripts: readonly Promise<Script>[],
): Promise<number> {
  const named = new Set(Array.from(html.matchAll(/<script[^>]* src="([^"]+)"/g), ([, src]) => src));
  const first = (await Promise.all(scripts)).filter(({ path }) => named.has(path));
  expect(first.length).toBeGreaterThan(0);
  return first.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function expectStrictPolicy(page: Page, document: Response): Promise<void> {
  const policy = document.headers()["content-security-policy"] ?? "";
  expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{20,}' 'strict-dynamic';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-(inline|eval)/);
  const bare = await page.evaluate(
    () =>
      [...window.document.scripts].filter(({ src, nonce }) => src === "" && nonce === "").length,
  );
  expect(bare).toBe(0);
}

/** Browser complaints: script errors, and everything that the page's policy blocked. */
function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // A missing page has the right status.
    if (message.type() === "error" && !/status of 404/.test(message.text()))
      problems.push(message.text());
  });
  return problems;
}
