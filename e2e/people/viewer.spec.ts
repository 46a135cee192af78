import { expect, type Page, test } from "@playwright/test";
import { connectTo } from "#e2e/harness/connect-to.ts";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { makeHand, reportTask } from "../harness/hand.ts";
import { signIn } from "../harness/sign-in.ts";
import { dashboardPages, type Seeded } from "../seeds/pages.ts";
import { seedProblems } from "../seeds/seed-problems.ts";
import { seedReceivers } from "../seeds/seed-receivers.ts";
import { seedSending } from "../seeds/seed-sending.ts";
import { seedShop } from "../seeds/seed-shop.ts";

/** Checked by `npm test`: a list with a selection, forms, menus, and pages that only admins change. */
const keyPages = ["hook", "runs-failed", "subscription-settings", "credential"];
/** Pages without an account, and those where a viewer changes what is their own. */
const ownPages = /^(portal|docs|not-found|account)/;

let dashboard: Dashboard;
let seeded: Seeded;
let cookie: { readonly name: string; readonly value: string };

test.beforeAll(async () => {
  dashboard = await startDashboard("viewer");
  const shop = await seedShop(dashboard);
  const sending = await seedSending(dashboard);
  const of = { ...shop, subscriptionId: sending.failingSubscriptionId };
  const problems = await seedProblems(dashboard, of);
  seeded = { ...shop, ...sending, ...(await seedReceivers(dashboard)), ...problems };
  const { server, account } = dashboard;
  const email = `viewer@${account.slug}.example.com`;
  await addViewer(email);
  const pairs = (await signIn(server.origin, email, account.password)).split("; ");
  const [name = "", value = ""] = (pairs.find((pair) => pair.includes("session=")) ?? "").split(
    /=(.*)/s,
  );
  cookie = { name, value };
});
test.afterAll(async () => await dashboard?.stop());

/** A person with the owner's password, who may only read. */
async function addViewer(email: string): Promise<void> {
  await query(
    `with viewer as (
      insert into users (id, email, name, password_hash)
      select gen_random_uuid(), $1, 'Vera Viewer', password_hash from users where email = $2 returning id
    )
    insert into memberships (account_id, user_id, role)
    select accounts.id, viewer.id, 'viewer' from accounts, viewer where slug = $3`,
    [email, dashboard.account.email, dashboard.account.slug],
  );
}

async function setRole(role: string): Promise<void> {
  const sql =
    "update memberships set role = $1 from users where users.id = user_id and users.email = $2";
  await query(sql, [role, `viewer@${dashboard.account.slug}.example.com`]);
}

async function query(sql: string, values: readonly unknown[]): Promise<void> {
  await using client = await connectTo(dashboard.server.databaseUrl());
  await client.query(sql, [...values]);
}

const promise = "a viewer is offered no button that their role can't use";

test("a button that the role can't use is found, in a page that was drawn for another role", async ({
  page,
}) => {
  await setRole("member");
  const { rejections, waitUntilIdle } = watchCommands(page);
  await openAsViewer(page, "hook");
  await setRole("viewer");
  await expect(async () => {
    await page.getByRole("button", { name: "Pause" }).click();
    await waitUntilIdle();
    expect(rejections).toContain("Your role is viewer");
  }).toPass();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
});

test("a viewer reads settings as a page, and is told why a masked value isn't found", {
  tag: "@variant",
}, async ({ page }) => {
  await setRole("viewer");
  for (const name of ["hook-settings", "action", "action-steps", "subscription-settings"]) {
    await openAsViewer(page, name);
    await expect(
      page.getByText("You're a viewer: you can look at everything here. A member can change it."),
    ).toBeVisible();
    await expect(page.locator("main form, main :disabled")).toHaveCount(0);
  }
  await dashboard.api("PUT", "/masked-fields", { fields: ["**.email"] });
  await openAsViewer(page, "delivery-failing");
  await expect(page.locator("main")).toContainText("••••");
  await expect(page.locator("main")).not.toContainText("ada@example.com");
  await openAsViewer(page, "home");
  const hand = makeHand(page);
  await hand.click(page.getByRole("link", { name: "Deliveries", exact: true }));
  await hand.write(page.getByRole("searchbox", { name: "Search" }), "ada@example.com");
  await expect(page.getByText("Masked fields aren't searched for viewers")).toBeVisible();
  reportTask("a viewer looks for a masked value, and is told", hand, 2);
  await expect(page.locator("main tbody tr")).toHaveCount(0);
});

for (const name of keyPages) test(`${name}: ${promise}`, ({ page }) => tryPage(page, name));

for (const name of Object.keys(dashboardPages).filter((each) => !ownPages.test(each)))
  test(`${name}, with all: ${promise}`, { tag: "@variant" }, ({ page }) => tryPage(page, name));

async function openAsViewer(page: Page, name: string): Promise<string> {
  const url = `${dashboard.server.origin}${dashboardPages[name]?.(seeded) ?? "/nowhere"}`;
  await page.context().addCookies([{ ...cookie, url, httpOnly: true }]);
  await reopen(page, url);
  return url;
}

/** Opens the page, and waits until its buttons work. */
async function reopen(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main button")].every((button) =>
      Object.keys(button).some((key) => key.startsWith("__reactProps")),
    ),
  );
}

async function tryPage(page: Page, name: string): Promise<void> {
  const { rejections, waitUntilIdle } = watchCommands(page);
  const url = await openAsViewer(page, name);
  const buttons = page.locator("main").getByRole("button", { disabled: false });
  const count = await buttons.count();
  for (let at = 0; at < count; at += 1) {
    if (page.url() !== url || (await page.locator("dialog[open], [role=menu]").count()) > 0)
      await reopen(page, url);
    const button = buttons.nth(at);
    if (!(await button.isVisible().catch(() => false)) || !(await button.isEnabled())) continue;
    const label = (await button.getAttribute("aria-label")) ?? (await button.textContent());
    await button.click();
    await waitUntilIdle();
    const items = page.getByRole("menuitem");
    for (let item = 0; item < (await items.count()); item += 1) {
      const itemLabel = await items.nth(item).textContent();
      // The browser downloads it, or leaves the page.
      if ((await items.nth(item).getAttribute("href")) !== null) continue;
      await items.nth(item).click();
      await waitUntilIdle();
      await confirmDialog(page, waitUntilIdle);
      expect([name, label, itemLabel, ...rejections]).toEqual([name, label, itemLabel]);
      await reopen(page, url);
      await button.click();
    }
    await confirmDialog(page, waitUntilIdle);
    expect([name, label, ...rejections]).toEqual([name, label]);
  }
}

/** Presses what changes something in an open dialog. */
async function confirmDialog(page: Page, waitUntilIdle: () => Promise<void>): Promise<void> {
  const dialog = page.locator("dialog[open]");
  if ((await dialog.count()) === 0) return;
  const typed = dialog.locator("input[name=typed]");
  const title = (await dialog.getByRole("heading").first().textContent()) ?? "";
  if ((await typed.count()) > 0) await typed.fill(/“(.*)”/s.exec(title)?.[1] ?? title);
  const last = dialog.getByRole("button").last();
  if (await last.isEnabled()) await last.click();
  await waitUntilIdle();
}

/** The role's rejections of what the page sends, and a wait until all of it was answered. */
function watchCommands(page: Page) {
  const rejections: string[] = [];
  const open = new Set<object>();
  page.on("request", (request) => {
    if (request.headers()["next-action"] !== undefined) open.add(request);
  });
  page.on("requestfailed", (request) => open.delete(request));
  page.on("requestfinished", async (request) => {
    if (!open.has(request)) return;
    const text = await (await request.response())?.text().catch(() => "");
    const found = /Your role is \w+/.exec(text ?? "");
    if (found !== null) rejections.push(found[0]);
    open.delete(request);
  });
  const waitUntilIdle = async () => {
    // A button is busy from the frame after its click on. What isn't busy sends its command by then.
    for (let times = 0; times < 2; times += 1) {
      await page.evaluate(async () => {
        for (let frame = 0; frame < 3; frame += 1)
          await new Promise((resolve) => requestAnimationFrame(resolve));
      });
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await expect.poll(() => open.size).toBe(0);
    }
  };
  return { rejections, waitUntilIdle };
}
