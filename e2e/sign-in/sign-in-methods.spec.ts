import { type Browser, expect, type Page, test } from "@playwright/test";
import { TOTP } from "otpauth";
import { adminEmail, adminPassword } from "../harness/server-under-test.ts";
import { checkLayouts } from "./check-layouts.ts";
import { type SignInServer, startSignInServer } from "./sign-in-server.ts";

test.describe.configure({ mode: "serial" });

let all: SignInServer;
let origin: string;
let password = adminPassword;

test.beforeAll(async () => {
  all = await startSignInServer();
  origin = all.origin;
});
test.afterAll(async () => await all?.[Symbol.asyncDispose]());

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
  await checkLayouts(page, "forgot");
  await askForLink(page, adminEmail);
  await expect.poll(() => all.mailServer.mails.map(({ to }) => to)).toEqual([[adminEmail]]);
  const text = all.mailServer.mails[0]?.text ?? "";
  const link = /http:\S+\/sign-in\/reset\?token=\S+/.exec(text)?.[0] ?? "";

  await page.goto(link);
  await checkLayouts(page, "reset");
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
  await checkLayouts(other, "reset-gone");
  await other.close();
});

async function continueWithProvider(page: Page): Promise<void> {
  await page.goto(`${origin}/sign-in?next=/account`);
  await page.getByRole("button", { name: "Continue with Acme ID" }).click();
}

/** Fills in the identity provider's pages, as the first time. */
async function identifyAs(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

test("an identity provider signs people in, and its groups change their role or end their sessions", async ({
  page,
  browser,
}) => {
  const { person } = all.identityProvider;
  person.groups = [];
  await page.goto(`${origin}/sign-in`);
  await checkLayouts(page, "sign-in");
  await continueWithProvider(page);
  await identifyAs(page, "grace");
  await expect(page.getByText("None of your groups has access to Catchment.")).toBeVisible();
  await checkLayouts(page, "sign-in-rejected");
  expect(await all.readRole(person.email)).toBeUndefined();

  person.groups = ["everyone", "staff"];
  await continueWithProvider(page);
  await expect(page.getByLabel("Your name")).toHaveValue("Grace Hopper");
  expect(await all.readRole(person.email)).toBe("member");

  const other = await browser.newPage();
  person.groups = ["staff", "hook-admins"];
  await continueWithProvider(other);
  await identifyAs(other, "grace");
  await expect(other.getByLabel("Your name")).toHaveValue("Grace Hopper");
  expect(await all.readRole(person.email)).toBe("admin");

  person.groups = ["everyone"];
  await other.context().clearCookies({ domain: "localhost" });
  await continueWithProvider(other);
  await expect(other.getByText("None of your groups has access to Catchment.")).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL(/\/sign-in/);
  await other.close();
});

test("the way back from an identity provider works only in the browser that went there", async ({
  page,
  browser,
}) => {
  all.identityProvider.person.groups = ["staff"];
  await continueWithProvider(page);
  await page.getByPlaceholder("Enter any login").fill("grace");
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await expect(page.getByRole("button", { name: "Continue" })).toBeVisible();
  const consent = (await page.locator("form").getAttribute("action")) ?? "";
  const form = { prompt: "consent" };
  let at = new URL(consent, page.url());
  for (let isFirst = true; at.origin !== origin; isFirst = false) {
    const options = { maxRedirects: 0, ...(isFirst && { form }) };
    const response = await page.request.fetch(at.href, {
      ...options,
      method: isFirst ? "POST" : "GET",
    });
    at = new URL(response.headers().location ?? "", at);
  }
  const victim = await browser.newPage();
  await victim.goto(at.href);
  await expect(victim).toHaveURL(/\/sign-in\?/);
  await victim.goto(`${origin}/account`);
  await expect(victim).toHaveURL(`${origin}/sign-in?next=%2Faccount`);
  // Nor with a path of someone else's site as the way on.
  await victim.goto(`${origin}/sign-in?next=//evil.example`);
  await victim.getByLabel("Email").fill(adminEmail);
  await victim.getByLabel("Password", { exact: true }).fill(password);
  await victim.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(victim).toHaveURL(`${origin}/`);
  await victim.close();
});

test("a code of an app is asked for after the password, and recovery codes stand in, each once", async ({
  page,
  browser,
}) => {
  const settings = await openSignedIn(browser);
  await settings.goto(`${origin}/account/sign-in`);
  await settings.getByRole("button", { name: "Turn on" }).click();
  const dialog = settings.getByRole("dialog", { name: "Turn on two-factor authentication" });
  await dialog.getByLabel("Your password", { exact: true }).fill("not the password");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("Your password is incorrect.")).toBeVisible();
  await dialog.getByLabel("Your password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const secret = (await settings.getByTestId("totp-secret").textContent()) ?? "";
  const app = new TOTP({ secret });
  await checkLayouts(settings, "two-factor-setup");
  await settings.getByLabel("Code", { exact: true }).fill(app.generate());
  await settings.getByRole("button", { name: "Confirm" }).click();
  const listed = settings.getByTestId("recovery-codes").getByRole("listitem");
  await expect(listed).toHaveCount(10);
  const codes = await listed.allTextContents();
  await checkLayouts(settings, "recovery-codes");
  await settings.getByRole("button", { name: "I saved them" }).click();
  await expect(settings.getByText("10 recovery codes left")).toBeVisible();

  await signIn(page);
  await expect(page.getByRole("heading", { name: "Two-factor authentication" })).toBeVisible();
  await checkLayouts(page, "code");
  // There is no session yet.
  const peek = await page.context().newPage();
  await peek.goto(`${origin}/account`);
  await expect(peek).toHaveURL(/\/sign-in\?/);
  await peek.close();
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("Code is incorrect or was used already.")).toBeVisible();
  // The present one confirmed the app, so it is the next one's turn.
  await page
    .getByLabel("Code", { exact: true })
    .fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();

  for (const isFirst of [true, false]) {
    const other = await browser.newPage();
    await signIn(other);
    const field = other.getByLabel("Recovery code");
    // A click before the page's code has run does nothing.
    await expect(async () => {
      const options = { timeout: 1_000 };
      if (await field.isHidden())
        await other.getByRole("button", { name: "Use a recovery code" }).click(options);
      await expect(field).toBeVisible(options);
    }).toPass();
    await field.fill(codes[0] ?? "");
    await other.getByRole("button", { name: "Sign in", exact: true }).click();
    if (isFirst) await expect(other.getByRole("heading", { name: "Profile" })).toBeVisible();
    else await expect(other.getByText("Recovery code is incorrect")).toBeVisible();
    await other.close();
  }
  await settings.close();
});

test("a passkey signs in without the password and the code, until it is removed", async ({
  browser,
}) => {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await all.query("delete from totp_secrets");
  await signIn(page);
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  await page.goto(`${origin}/account/sign-in`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name").fill("Work laptop");
  await dialog.getByLabel("Your password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("never used")).toBeVisible();
  await checkLayouts(page, "account-sign-in");

  const withPasskey = async () => {
    await page.context().clearCookies();
    await page.goto(`${origin}/sign-in?next=/account/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  };
  await withPasskey();
  await expect(page.getByText("last used")).toBeVisible();
  await page.getByRole("button", { name: "Remove Work laptop" }).click();
  await page.getByRole("button", { name: "Remove passkey" }).click();
  await expect(page.getByText("Work laptop")).toHaveCount(0);
  await withPasskey();
  await expect(page.getByText("This passkey doesn't sign anyone in here.")).toBeVisible();
  await page.close();

  const signIns = await all.readSignIns();
  for (const expected of [
    "user.signed_in by password",
    "user.signed_in by app code",
    "user.signed_in by recovery code",
    "user.signed_in by passkey",
    "user.signed_in by single sign-on",
    "user.sign_in.failed by password",
    "user.second_factor.failed by code",
    "user.sign_in.rejected by no_role",
    "user.password.reset",
    "user.two_factor.enabled",
    "user.passkey.added",
    "user.passkey.removed",
  ])
    expect(signIns).toContain(expected);
});
