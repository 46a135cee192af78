import { spawnSync } from "node:child_process";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";

let dashboard: Dashboard;
let origin: string;

// Passwords change and sessions end here, so each test has its own user.
test.beforeEach(async () => {
  dashboard = await startDashboard("account");
  origin = dashboard.server.origin;
});
test.afterEach(async () => await dashboard?.stop());

/** The page itself, and not the settings of the same name. */
const signedOut = () => new RegExp(`^${origin}/sign-in\\b`);

async function signIn(page: Page, password = dashboard.account.password): Promise<void> {
  await page.goto(`${origin}/sign-in?next=/account/sign-in`);
  await page.getByLabel("Email").fill(dashboard.account.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function otherBrowser(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    userAgent: "Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0",
  });
  const page = await context.newPage();
  await signIn(page);
  await expect(page.getByRole("heading", { name: "Sign-in", level: 1 })).toBeVisible();
  return page;
}

test("names change immediately; the catch URLs stay", { tag: "@variant" }, async ({ page }) => {
  await dashboard.open(page, "/account");
  await expectAccessible(page);
  await page.getByLabel("Your name").fill("Grace Hopper");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Profile saved.")).toBeVisible();
  await dashboard.open(page, "/account/general");
  await page.getByLabel("Account name").fill("Hopper & Daughters");
  await page.getByRole("button", { name: "Rename account" }).click();
  await expect(page.getByText("Account renamed.")).toBeVisible();
  await expect(page.getByRole("banner").getByText("Hopper & Daughters")).toBeVisible();
  await expectAccessible(page);
  await dashboard.open(page, "/account");
  await expect(page.getByLabel("Your name")).toHaveValue("Grace Hopper");
  await expect(page.getByLabel("Time zone")).toHaveValue("Asia/Tokyo");
  const hook = await dashboard.makeHook({ name: "Still there" });
  expect(hook.catchUrl).toContain(`/catch/${dashboard.account.slug}/`);
  await dashboard.open(page, "/deliveries?since=between&from=2026-11-21T08:00");
  await expect(page.getByLabel("From (GMT+9)")).toHaveValue("2026-11-21T17:00");
});

test("without a mail server, an email can't be changed, and the page says who can", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.open(page, "/account");
  const email = page.getByLabel("Email");
  await expect(email).toHaveAccessibleDescription(/npm run server -- change-email/);
  await expect(email).not.toBeEditable();
});

test("a new password needs the current one, and signs out all other browsers", {
  tag: "@variant",
}, async ({ page, browser }) => {
  const other = await otherBrowser(browser);
  await dashboard.open(page, "/account/sign-in");
  await page.getByLabel("Current password").fill("not the password");
  await page.getByLabel("New password").fill("another few words");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("Current password")).toHaveAccessibleDescription(/is incorrect/);
  await page.getByLabel("Current password").fill(dashboard.account.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed.", { exact: false })).toBeVisible();
  await page.reload();
  await expect(page.getByText("This browser", { exact: true })).toBeVisible();
  await other.reload();
  await expect(other).toHaveURL(signedOut());
  await signIn(other);
  await expect(
    other.getByRole("alert").filter({ hasText: "Incorrect email or password" }),
  ).toBeVisible();
  await signIn(other, "another few words");
  await expect(other.getByText("This browser", { exact: true })).toBeVisible();
  await other.context().close();
});

test("a new password can be neither short nor one of the most common", { tag: "@variant" }, async ({
  page,
  browser,
}) => {
  await dashboard.open(page, "/account/sign-in");
  const field = page.getByLabel("New password");
  await page.getByLabel("Current password").fill(dashboard.account.password);
  await field.fill("nine char");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(field).toHaveAccessibleDescription(/Use at least 10 characters\.$/);
  await field.fill("Password123");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(field).toHaveAccessibleDescription(
    /This password is too common\. Choose another one\.$/,
  );
  await expectAccessible(page);
  // The old password still signs in.
  const other = await otherBrowser(browser);
  await other.context().close();
});

test("signing out ends this session only; others can be ended one by one, or all at once", {
  tag: "@variant",
}, async ({ page, browser }) => {
  const [first, second] = [await otherBrowser(browser), await otherBrowser(browser)];
  await first.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(first).toHaveURL(`${origin}/sign-in`);
  await second.reload();
  await expect(second.getByText("This browser", { exact: true })).toBeVisible();

  await dashboard.open(page, "/account/sign-in");
  await page.getByRole("button", { name: "Sign out Firefox on Windows" }).click();
  await expect(page.getByText("Firefox on Windows was signed out.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign out Firefox on Windows" })).toHaveCount(0);
  await second.reload();
  await expect(second).toHaveURL(signedOut());

  await signIn(second);
  await expect(second.getByText("This browser", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL(`${origin}/sign-in`);
  await second.reload();
  await expect(second).toHaveURL(signedOut());
  await first.context().close();
  await second.context().close();
});

test("a forgotten password is reset on the machine while the server runs", {
  tag: "@variant",
}, async ({ page, browser }) => {
  const other = await otherBrowser(browser);
  const command = spawnSync(
    process.execPath,
    ["server/cli/catchment-server.ts", "reset-password", dashboard.account.email],
    {
      encoding: "utf8",
      env: {
        ...process.env,
        NODE_ENV: "production",
        DATABASE_URL: "",
        CATCHMENT_DATA_DIR: dashboard.server.dataFolder,
        CATCHMENT_SECRET_KEY: dashboard.server.secretKey,
      },
    },
  );
  expect(command.status, command.stderr).toBe(0);
  await other.reload();
  await expect(other).toHaveURL(signedOut());
  await signIn(page, /^ {4}(\S+)$/m.exec(command.stderr)?.[1]);
  await expect(page.getByRole("heading", { name: "Sign-in", level: 1 })).toBeVisible();
  await other.context().close();
});
