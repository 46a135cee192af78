import { type Browser, expect, type Page, test } from "@playwright/test";
import { Client } from "pg";
import { startMailServer } from "#lib/net/testing/mail-server.ts";
import { expectAccessible } from "../harness/dashboard.ts";
import { findFreePort } from "../harness/free-port.ts";
import { makeScratchFolder } from "../harness/scratch-folder.ts";
import {
  adminEmail,
  adminPassword,
  makeAccess,
  type ServerUnderTest,
  startServer,
} from "../harness/server-under-test.ts";
import { startIdentityProvider } from "./identity-provider.ts";

test.describe.configure({ mode: "serial" });

let identityProvider: Awaited<ReturnType<typeof startIdentityProvider>>;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let server: ServerUnderTest;
let origin: string;
let password = adminPassword;

test.beforeAll(async () => {
  mailServer = await startMailServer();
  const port = await findFreePort();
  // Passkeys belong to a host name: browsers make none for an address.
  origin = `http://localhost:${port}`;
  identityProvider = await startIdentityProvider(`${origin}/api/auth/callback/oidc`);
  const env = {
    CATCHMENT_OIDC_ISSUER: identityProvider.issuer,
    CATCHMENT_OIDC_CLIENT_ID: identityProvider.clientId,
    CATCHMENT_OIDC_CLIENT_SECRET: identityProvider.clientSecret,
    CATCHMENT_OIDC_NAME: "Acme ID",
    CATCHMENT_OIDC_ROLE_CLAIM: "groups",
    CATCHMENT_OIDC_ROLES: "hook-admins=admin, staff=member",
    CATCHMENT_OIDC_SIGN_UP: "true",
    CATCHMENT_PUBLIC_URL: origin,
    SMTP_URL: mailServer.url,
    CATCHMENT_MAIL_FROM: "Catchment <catchment@example.com>",
  };
  const folder = makeScratchFolder("sign-in-methods");
  server = await startServer({ folder, port, env }, makeAccess());
});
test.afterAll(async () => {
  await server?.stop();
  await mailServer?.[Symbol.asyncDispose]();
  await identityProvider?.[Symbol.asyncDispose]();
});

async function signIn(page: Page, given = password): Promise<void> {
  await page.goto(`${origin}/sign-in?next=/account`);
  await page.getByLabel("Email").fill(adminEmail);
  await page.getByLabel("Password", { exact: true }).fill(given);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function openSignedIn(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await signIn(page);
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  return page;
}

async function askForLink(page: Page, email: string): Promise<void> {
  await page.goto(`${origin}/sign-in`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText(`If ${email} signs in here, a message is on its way.`)).toBeVisible();
}

test("a link in an email resets the password once and signs every browser out", async ({
  page,
  browser,
}) => {
  const other = await openSignedIn(browser);
  await askForLink(page, "nobody@example.com");
  await expectAccessible(page);
  await askForLink(page, adminEmail);
  await expect.poll(() => mailServer.mails.map(({ to }) => to)).toEqual([[adminEmail]]);
  const text = mailServer.mails[0]?.text ?? "";
  const link = /http:\S+\/sign-in\/reset\?token=\S+/.exec(text)?.[0] ?? "";

  await page.goto(link);
  await expectAccessible(page);
  await page.getByLabel("New password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Use at least 10 characters.")).toBeVisible();
  password = "a new phrase of words";
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed. Sign in with the new one.")).toBeVisible();
  await signIn(page);
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();

  await other.reload();
  await expect(other).toHaveURL(/\/sign-in/);
  await signIn(other, adminPassword);
  await expect(other.getByRole("alert").first()).toHaveText("Incorrect email or password.");
  await other.goto(link);
  await expect(other.getByRole("heading", { name: "This link doesn't work" })).toBeVisible();
  await expectAccessible(other);
  await other.close();
});

async function continueWithProvider(page: Page): Promise<void> {
  await page.goto(`${origin}/sign-in?next=/account`);
  await page.getByRole("button", { name: "Continue with Acme ID" }).click();
}

/** What the pages of the identity provider ask for the first time. */
async function identifyAs(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

async function readRole(email: string): Promise<unknown> {
  const client = new Client({ connectionString: server.databaseUrl() });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select role from memberships join users on users.id = user_id where email = $1",
      [email],
    );
    return rows[0]?.role;
  } finally {
    await client.end();
  }
}

test("an identity provider signs people in, and its groups change their role or end their sessions", async ({
  page,
  browser,
}) => {
  const { person } = identityProvider;
  person.groups = [];
  await page.goto(`${origin}/sign-in`);
  await expectAccessible(page);
  await continueWithProvider(page);
  await identifyAs(page, "grace");
  await expect(page.getByText("None of your groups has access to Catchment.")).toBeVisible();
  await expectAccessible(page);
  expect(await readRole(person.email)).toBeUndefined();

  person.groups = ["everyone", "staff"];
  await continueWithProvider(page);
  await expect(page.getByLabel("Your name")).toHaveValue("Grace Hopper");
  expect(await readRole(person.email)).toBe("member");

  const other = await browser.newPage();
  person.groups = ["staff", "hook-admins"];
  await continueWithProvider(other);
  await identifyAs(other, "grace");
  await expect(other.getByLabel("Your name")).toHaveValue("Grace Hopper");
  expect(await readRole(person.email)).toBe("admin");

  person.groups = ["everyone"];
  await other.context().clearCookies({ domain: "localhost" });
  await continueWithProvider(other);
  await expect(other.getByText("None of your groups has access to Catchment.")).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL(/\/sign-in/);
  await other.close();
});
