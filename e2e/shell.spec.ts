import { expect, type Page, test } from "@playwright/test";
import { connectTo } from "./harness/connect-to.ts";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };
let deliveryId: string;

test.beforeAll(async () => {
  dashboard = await startDashboard("shell");
  hook = await dashboard.makeHook({ name: "Orders of the shop" });
  deliveryId = await dashboard.deliver(hook.catchUrl, '{"id":"evt_shell_1","type":"order.paid"}');
});
test.afterAll(async () => await dashboard?.stop());

const palette = (page: Page) => page.getByRole("dialog", { name: "Search and commands" });

async function openPalette(page: Page): Promise<void> {
  // The button is enabled once the page handles keys too.
  await expect(page.getByRole("button", { name: "Search Ctrl K" })).toBeEnabled();
  await page.keyboard.press("Control+k");
  await expect(palette(page).getByRole("combobox")).toBeFocused();
}

test("the palette finds hooks by name and deliveries by the id of their event, and opens them", async ({
  page,
}) => {
  await dashboard.open(page, "/deliveries");
  await openPalette(page);
  await expectAccessible(page);
  await page.keyboard.type("shop");
  await expect(palette(page).getByRole("option", { name: "Orders of the shop" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${dashboard.server.origin}/hooks/${hook.id}`);
  await expect(palette(page)).toHaveCount(0);
  for (const text of ["evt_shell_1", deliveryId]) {
    await openPalette(page);
    await page.keyboard.type(text);
    await expect(palette(page).getByRole("option", { name: /order\.paid/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${dashboard.server.origin}/deliveries/${deliveryId}`);
    await page.goBack();
  }
});

test("the palette finds docs, and the docs have a menu and a search that need no scripts", {
  tag: "@variant",
}, async ({ page, browser }) => {
  await dashboard.open(page, "/deliveries");
  await openPalette(page);
  await page.keyboard.type("reverse proxy");
  await palette(page).getByRole("option", { name: "Behind a reverse proxy" }).click();
  await expect(page).toHaveURL(`${dashboard.server.origin}/docs/operations#behind-a-reverse-proxy`);
  await expectAccessible(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${dashboard.server.origin}/docs/operations/database`);
  const code = page.locator("main .code").first();
  await code.getByRole("button", { name: "Copy" }).click();
  await expect(code.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    await code.locator("pre").textContent(),
  );

  const context = await browser.newContext({ javaScriptEnabled: false });
  const reader = await context.newPage();
  await reader.goto(`${dashboard.server.origin}/docs`);
  await reader.getByRole("navigation", { name: "Docs" }).getByText("Concepts").click();
  await expect(reader.getByRole("heading", { level: 1, name: "Concepts" })).toBeVisible();
  await reader.getByRole("searchbox", { name: "Search the docs" }).fill("forgotten password");
  await reader.keyboard.press("Enter");
  await reader.locator("a[href='/docs/operations#a-forgotten-password']").click();
  await expect(reader).toHaveURL(/\/docs\/operations#a-forgotten-password$/);
  await context.close();
});

test("an address that no page has keeps the menu for those who are signed in", {
  tag: "@variant",
}, async ({ page, browser }) => {
  await dashboard.open(page, "/no/such/page");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page).toHaveTitle("Not found · Catchment");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Docs" }).click();
  await expect(page.getByRole("heading", { name: "Documentation" })).toBeVisible();
  const signedOut = await browser.newPage();
  const response = await signedOut.goto(`${dashboard.server.origin}/no/such/page`);
  expect(response?.status()).toBe(404);
  await expect(signedOut.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(signedOut.getByRole("link", { name: "Docs" })).toHaveCount(0);
  await signedOut.close();
});

test("the palette does what the menus do: pages, theme, help, sign out", async ({ page }) => {
  await dashboard.open(page, "/deliveries");
  await openPalette(page);
  await page.keyboard.type("new hook");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${dashboard.server.origin}/hooks/new`);
  await openPalette(page);
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveClass(/\bdark\b/);
  await openPalette(page);
  await page.keyboard.press("Escape");
  await expect(palette(page)).toHaveCount(0);
});

test("what is typed while the palette loads goes into its field, and opens no page", async ({
  page,
}) => {
  await dashboard.open(page, "/deliveries");
  await expect(page.getByRole("button", { name: "Search Ctrl K" })).toBeEnabled();
  const loading = Promise.withResolvers<void>();
  await page.route("**/_next/static/**", async (route) => {
    await loading.promise;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  // Two shortcuts if the page took them.
  await page.keyboard.type("gh gs");
  loading.resolve();
  await expect(palette(page).getByRole("combobox")).toHaveValue("gh gs");
  await page.keyboard.type("!");
  await expect(palette(page).getByRole("combobox")).toHaveValue("gh gs!");
  await expect(page).toHaveURL(`${dashboard.server.origin}/deliveries`);
});

test("on a hook's page the palette offers that page's commands", { tag: "@variant" }, async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Commands" });
  await dashboard.open(page, `/hooks/${hook.id}`);
  await openPalette(page);
  await expect(palette(page).getByRole("option", { name: "Send a sample" })).toBeVisible();
  await page.keyboard.type("pause hook");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await openPalette(page);
  await page.keyboard.type("rotate catch");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${dashboard.server.origin}/hooks/${hook.id}/settings#catch-url`);
  await expect(page.getByRole("button", { name: "Rotate catch URL" })).toBeVisible();
});

test("single keys open pages and the help, never inside a field, and can be turned off", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.open(page, "/deliveries");
  await openPalette(page);
  await page.keyboard.press("Escape");
  // While it closes, it still handles keys.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page).toHaveURL(`${dashboard.server.origin}/account`);
  await page.getByLabel("Your name").focus();
  await page.keyboard.press("c");
  await expect(page.getByLabel("Your name")).toHaveValue(/c$/);
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  await help.getByLabel("Enable single-key shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await page.keyboard.press("?");
  await expect(help).toHaveCount(0);
  await expect(page).toHaveURL(`${dashboard.server.origin}/account`);
});

test("the theme follows the system until one is chosen, and the choice applies at the first paint", {
  tag: "@variant",
}, async ({ browser }) => {
  const page = await browser.newPage({ colorScheme: "dark" });
  const violations: string[] = [];
  page.on("console", (message) => message.type() === "error" && violations.push(message.text()));
  await dashboard.open(page, "/deliveries");
  await expect(page.locator("html")).toHaveClass(/\bdark\b/);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.getByRole("radio", { name: "Light" }).check({ force: true });
  await expect(page.locator("html")).not.toHaveClass(/\bdark\b/);
  const light = await ground();
  expect(light).not.toBe(dark);
  // Only the page's inline script can have set it before the first element of the body.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector("header") === null) return;
      document.documentElement.dataset.first = document.documentElement.className;
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-first", /\blight\b/);
  expect(await ground()).toBe(light);
  expect(violations).toEqual([]);
  await page.close();
});

test("on a phone the menu contains the rest, traps the focus, and restores it", {
  tag: "@variant",
}, async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await dashboard.open(page, "/deliveries");
  const button = page.getByRole("button", { name: "Menu", exact: true });
  await button.click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await expect(menu.getByRole("link", { name: "Deliveries" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  await button.click();
  await menu.getByRole("link", { name: "Account" }).click();
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  await expect(menu).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await context.close();
});

test("the first Tab offers to skip to the content", async ({ page }) => {
  await dashboard.open(page, "/deliveries");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("someone who is signed out finds nothing", async ({ request }) => {
  const response = await request.get(`${dashboard.server.origin}/api/search?q=shop`);
  expect(response.status()).toBe(401);
  expect(await response.json()).toMatchObject({ code: "unauthenticated" });
});

test("a page whose data can't be read says so, and comes by itself once it can be", {
  tag: "@variant",
}, async ({ page }) => {
  const { id } = await dashboard.api("POST", "/subscriptions", {
    receiverUrl: dashboard.receiver.url("/in"),
  });
  await using client = await connectTo(dashboard.server.databaseUrl());
  const setRetry = (retry: string | null) =>
    client.query("update subscriptions set retry = $1::json where id = $2", [retry, id]);
  await setRetry("5");
  await dashboard.open(page, "/subscriptions");
  const failed = page.getByRole("heading", { name: "This page couldn't be loaded" });
  await expect(failed).toBeVisible();
  await expectAccessible(page);
  const again = page.waitForResponse(/\/subscriptions\?_rsc=/);
  await page.getByRole("button", { name: "Try again" }).click();
  await again;
  await expect(failed).toBeVisible();
  await setRetry(null);
  await expect(page.getByRole("heading", { name: "Subscriptions" })).toBeVisible();
});
