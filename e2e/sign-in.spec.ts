import { readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { makeScratchFolder } from "./harness/scratch-folder.ts";
import { makeAccess, type ServerUnderTest, startServer } from "./harness/server-under-test.ts";

test.describe.configure({ mode: "serial" });

let server: ServerUnderTest;
let setupLink: string;
let origin: string;

const owner = { name: "Ada Lovelace", email: "ada@example.com", password: "a few words in a row" };

// Empty is unset: there is no owner yet.
const withoutOwner = {
  CATCHMENT_ADMIN_EMAIL: "",
  CATCHMENT_ADMIN_PASSWORD: "",
  CATCHMENT_ADMIN_ACCOUNT: "",
  CATCHMENT_ADMIN_API_TOKEN: "",
};

test.beforeAll(async () => {
  const folder = makeScratchFolder("sign-in");
  server = await startServer({ folder, env: withoutOwner }, makeAccess());
  setupLink = readSetupLink(server.logFile);
  origin = new URL(setupLink).origin;
});
test.afterAll(async () => await server?.stop());

function readSetupLink(logFile: string): string {
  const link = /https?:\/\/\S+\/setup\?token=[\w-]+/.exec(readFileSync(logFile, "utf8"))?.[0];
  if (link === undefined) throw new Error("The server printed no setup link.");
  return link;
}

async function fillSetup(page: Page, person = owner): Promise<void> {
  await page.getByLabel("Your name").fill(person.name);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByLabel("Account").fill("acme");
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
}

test("before there is an owner, no one can sign in or create one without the setup link", async ({
  page,
}) => {
  await page.goto(origin);
  await expect(page.getByRole("heading", { name: "Not set up yet" })).toBeVisible();
  await page.goto(`${origin}/setup?token=${"A".repeat(43)}`);
  await expect(page.getByRole("heading", { name: "This link doesn't work" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create owner" })).toHaveCount(0);
});

test("the setup link creates one owner and opens the dashboard", async ({ page, browser }) => {
  const other = await browser.newPage();
  await other.goto(setupLink);
  await fillSetup(other, { ...owner, email: "mallory@example.com" });

  await page.goto(setupLink);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create owner" }).click();
  await expect(page.getByText("Email must be an email address")).toBeVisible();
  await expect(page.getByText("Use at least 10 characters.")).toBeVisible();
  await fillSetup(page, { ...owner, password: "Password123" });
  await page.getByRole("button", { name: "Create owner" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(
    /This password is too common\. Choose another one\.$/,
  );
  await fillSetup(page);
  await page.getByRole("button", { name: "Create owner" }).click();
  await expect(
    page.getByRole("heading", { name: "Where do your webhooks come from?" }),
  ).toBeVisible();
  await expect(page.getByText(owner.email)).toBeVisible();

  await other.getByRole("button", { name: "Create owner" }).click();
  await expect(other.getByText("This setup link no longer works")).toBeVisible();
  await other.reload();
  await expect(other.getByRole("heading", { name: "This link doesn't work" })).toBeVisible();
  await other.close();
});

test(
  "a wrong password and an unknown user get the same response, " +
    "and a sign-in leads back to the requested page",
  async ({ page }) => {
    await page.goto(`${origin}/account/tokens`);
    await expectAccessible(page);
    await signIn(page, owner.email, "not the password");
    const alert = page.getByRole("alert").filter({ hasText: "Incorrect email or password" });
    await expect(alert).toHaveText("Incorrect email or password.");
    await page.reload();
    await signIn(page, "nobody@example.com", owner.password);
    await expect(alert).toHaveText("Incorrect email or password.");
    await signIn(page, "ADA@example.com", owner.password);
    await expect(page).toHaveURL(`${origin}/account/tokens`);
  },
);

test("a sign-in never redirects to another site", async ({ page }) => {
  for (const next of [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
  ]) {
    await page.context().clearCookies();
    await page.goto(`${origin}/sign-in?${new URLSearchParams({ next })}`);
    await signIn(page, owner.email, owner.password);
    await expect(page).toHaveURL(`${origin}/`);
  }
});

test("a copied cookie is useless after signing out", async ({ page, context }) => {
  await page.goto(`${origin}/sign-in`);
  await signIn(page, owner.email, owner.password);
  await expect(page).toHaveURL(`${origin}/`);
  const copy = await context.cookies();
  expect(copy.find(({ name }) => name.endsWith("catchment.session"))).toMatchObject({
    httpOnly: true,
    sameSite: "Lax",
  });
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${origin}/sign-in`);
  await page.getByText("Forgot your password?").click();
  await expect(page.getByText("npm run server -- reset-password")).toBeVisible();
  await expectAccessible(page);
  await context.addCookies(copy);
  await page.goto(origin);
  await expect(page).toHaveURL(`${origin}/sign-in`);
});

test("a token is shown once, works, and stops working when it is revoked", async ({
  page,
  request,
}) => {
  await page.goto(`${origin}/account/tokens`);
  await signIn(page, owner.email, owner.password);
  await page.getByRole("textbox", { name: "Name" }).fill("Deploy script");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = (await page.getByTestId("new-token").textContent()) ?? "";
  await expect(page.getByText(`curl -H "Authorization: Bearer ${token}"`)).toBeVisible();
  const headers = { authorization: `Bearer ${token}` };
  expect((await request.get(`${origin}/api/v1/hooks`, { headers })).status()).toBe(200);
  await page.reload();
  await expect(page.getByText(token)).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Revoke Deploy script" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  await expect(page.getByText("Revoked", { exact: true })).toBeVisible();
  expect((await request.get(`${origin}/api/v1/hooks`, { headers })).status()).toBe(401);
});

test("a hook created in the page shows what arrives at its catch URL, as text", async ({
  page,
  request,
}) => {
  const hostile = `<img src=x onerror="document.title='run'">`;
  await page.goto(`${origin}/hooks/new?from=generic`);
  await signIn(page, owner.email, owner.password);
  await page.getByLabel("Name").fill(hostile);
  await page.getByRole("button", { name: "Create hook" }).click();
  const catchUrl = (await page.locator("code").first().textContent()) ?? "";
  const caught = await request.post(catchUrl, { data: { id: `evt_${hostile}`, type: hostile } });
  expect(caught.status()).toBe(200);
  await page.goto(origin);
  const row = page.getByRole("row").filter({ hasText: hostile });
  await expect(row).toContainText("Accepted");
  await expect(row.getByRole("img", { name: "Not checked" })).toBeVisible();
  await expect(page).toHaveTitle("Home · Catchment");
  await expectAccessible(page);
});

test("a sign-in from another site, or one that is too large, is rejected", async ({ request }) => {
  const url = `${origin}/api/auth/callback/credentials`;
  const form = { email: owner.email, password: owner.password };
  const foreign = await request.post(url, { headers: { origin: "https://evil.example" }, form });
  expect(foreign.status()).toBe(403);
  const huge = await request.post(url, {
    headers: { origin },
    form: { ...form, password: "x".repeat(1_000_000) },
  });
  expect(huge.status()).toBe(413);
});

test("a change that another site sends with the owner's cookie isn't made", async ({ page }) => {
  await page.goto(`${origin}/hooks/new?from=generic`);
  await signIn(page, owner.email, owner.password);
  await page.getByLabel("Name").fill("Made once");
  const [sent] = await Promise.all([
    page.waitForRequest(
      (request) => request.method() === "POST" && new URL(request.url()).pathname === "/hooks/new",
    ),
    page.getByRole("button", { name: "Create hook" }).click(),
  ]);
  await expect(page.getByText("Waiting for the first delivery")).toBeVisible();
  const { "next-action": action = "", "content-type": type = "" } = sent.headers();
  const replay = (from: Record<string, string>) =>
    page.request.post(sent.url(), {
      headers: { "next-action": action, "content-type": type, ...from },
      data: sent.postDataBuffer() ?? "",
    });
  const made = /"ok":true/;
  const foreign = await replay({ origin: "https://evil.example" });
  expect(await foreign.text()).not.toMatch(made);
  const unnamed = await replay({});
  expect(await unnamed.text()).not.toMatch(made);
  // The same with our own origin passes: the origin was the reason for the rejection.
  expect(await (await replay({ origin })).text()).toMatch(made);
  await page.goto(`${origin}/hooks`);
  await expect(page.getByRole("link", { name: "Made once" })).toHaveCount(2);
});

test("every page has a policy with its own nonce, whatever the request says", async ({
  request,
}) => {
  const nonces = new Set<string>();
  for (const path of ["/sign-in", "/setup", "/nowhere", "/account/tokens"]) {
    const response = await request.get(`${origin}${path}`, {
      headers: { "content-security-policy": "script-src 'nonce-known'", "x-nonce": "known" },
      maxRedirects: 0,
    });
    const policy = response.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-(inline|eval)/);
    expect(await response.text()).not.toContain(`nonce="known"`);
    nonces.add(/'nonce-([^']+)'/.exec(policy)?.[1] ?? "none");
    expect(response.headers()).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
  }
  expect(nonces.size).toBe(4);
});
