import { expect, type Page, test } from "@playwright/test";
import { adminEmail, adminPassword } from "../harness/server-under-test.ts";
import { checkLayouts } from "./check-layouts.ts";
import { type SignInServer, startSignInServer } from "./sign-in-server.ts";

let all: SignInServer;

test.beforeAll(async () => {
  all = await startSignInServer();
});
test.afterAll(async () => await all?.[Symbol.asyncDispose]());

async function signIn(page: Page, email = adminEmail): Promise<void> {
  await page.goto(`${all.origin}/sign-in?next=/account`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(adminPassword);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("a new email counts once the link in its mailbox was opened by the person who asked for it", {
  tag: "@variant",
}, async ({ page, browser }) => {
  const email = "new@example.com";
  const other = await browser.newPage();
  await signIn(other);
  await expect(other.getByRole("heading", { name: "Profile" })).toBeVisible();
  await signIn(page);
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  const password = page.getByLabel("Password", { exact: true });
  const ask = async (given: string) => {
    await page.getByLabel("Email").fill(email);
    await password.fill(given);
    await page.getByRole("button", { name: "Save profile" }).click();
  };
  await ask("not the password");
  await expect(password).toHaveAccessibleDescription(/is incorrect/);
  await ask(adminPassword);
  await expect(page.getByText(`Open the link that was sent to ${email}.`)).toBeVisible();
  await checkLayouts(page, "profile-pending");
  await expect(page.getByLabel("Email")).toHaveValue(adminEmail);
  const newest = () =>
    /http:\S+\/confirm-email\?token=\S+/.exec(all.mailServer.mails.at(-1)?.text ?? "")?.[0] ?? "";
  const first = newest();
  await page.getByRole("button", { name: "Send a new link" }).click();
  await expect.poll(newest).not.toBe(first);

  await page.goto(first);
  await expect(page.getByRole("heading", { name: "This link doesn't work" })).toBeVisible();
  await checkLayouts(page, "confirm-email-gone");
  await page.goto(newest());
  await checkLayouts(page, "confirm-email");
  await page.getByRole("button", { name: "Confirm email" }).click();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByText("Open the link")).toHaveCount(0);

  await other.reload();
  await expect(other).toHaveURL(/\/sign-in/);
  await signIn(other);
  await expect(other.getByRole("alert").first()).toHaveText("Incorrect email or password.");
  await signIn(other, email);
  await expect(other.getByRole("heading", { name: "Profile" })).toBeVisible();
  await other.close();
});

test("the sign-in page has only codes in its URL, and says what to change", async ({ page }) => {
  for (const error of [
    "Invalid `prisma.user.create()` invocation",
    "OAuthCallback",
    "x\0y",
    "失敗",
  ]) {
    await page.goto(`${all.origin}/api/auth/error?${new URLSearchParams({ error })}`);
    await expect(page).toHaveURL(
      /\/sign-in\?(callbackUrl=[^&]*&)?error=(unavailable|provider_response)$/,
    );
  }
  await page.goto(`${all.origin}/sign-in?error=email_unverified`);
  await expect(page.getByRole("alert").first()).toContainText("CATCHMENT_OIDC_TRUST_EMAIL=true");
  await checkLayouts(page, "sign-in-unverified");
});
