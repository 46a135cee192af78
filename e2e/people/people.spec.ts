import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { fetchUntilAvailable } from "../harness/fetch-until-available.ts";
import { checkLayouts } from "../sign-in/check-layouts.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("people");
});
test.afterAll(async () => await dashboard?.stop());

async function invite(page: Page, email: string): Promise<string> {
  await dashboard.open(page, "/account/people");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite a person" });
  await dialog.getByLabel("Email").fill("nobody");
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  await expect(dialog.getByLabel("Email")).toBeFocused();
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const link = await dialog.getByTestId("invitation-link").textContent();
  await checkLayouts(page, "invitation-link");
  await dialog.getByRole("button", { name: "Done" }).click();
  return new URL(link ?? "").pathname;
}

/** Creates an API token in the page of tokens. */
async function createToken(page: Page): Promise<string> {
  await page.goto(`${dashboard.server.origin}/account/tokens`);
  await page.getByRole("textbox", { name: "Name" }).fill("Reports");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = (await page.getByTestId("new-token").textContent()) ?? "";
  await checkLayouts(page, "tokens-new");
  return token;
}

async function statusOf(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetchUntilAvailable(`${dashboard.server.origin}/api/v1/hooks`, { headers })).status;
}

test("a person is invited, joins, gets another role, and is removed from an open page", async ({
  page,
  browser,
}) => {
  const email = `grace@${dashboard.account.slug}.example.com`;
  const path = await invite(page, email);
  const context = await browser.newContext();
  const theirs = await context.newPage();
  await theirs.goto(`${dashboard.server.origin}${path}`);
  await checkLayouts(theirs, "invitation");
  await theirs.getByLabel("Your name").fill("Grace Hopper");
  await theirs.getByLabel("Password", { exact: true }).fill("a few words in a row");
  await theirs.getByRole("button", { name: "Accept invitation" }).click();
  await expect(theirs).toHaveURL(`${dashboard.server.origin}/`);
  await theirs.goto(`${dashboard.server.origin}/account/people`);
  await expect(theirs.getByRole("list", { name: "Members" })).toContainText("Grace Hopper");
  await expect(theirs.getByRole("button", { name: "Invite" })).toHaveCount(0);

  // The link works once.
  const again = await (await browser.newContext()).newPage();
  await again.goto(`${dashboard.server.origin}${path}`);
  await expect(again.getByRole("heading", { name: "This invitation doesn't work" })).toBeVisible();
  await again.context().close();

  await page.reload();
  await page.getByLabel("Role of Grace Hopper").selectOption("admin");
  await expect(page.getByText("Grace Hopper is now an admin.")).toBeVisible();
  await checkLayouts(page, "people-members");
  await theirs.reload();
  await expect(theirs.getByRole("button", { name: "Invite" })).toBeVisible();
  const token = await createToken(theirs);
  expect(await statusOf(token)).toBe(200);

  await page.getByRole("button", { name: "Remove Grace Hopper" }).click();
  await page.getByRole("button", { name: "Remove member" }).click();
  await expect(page.getByRole("list", { name: "Members" })).not.toContainText("Grace Hopper");
  await theirs.getByRole("link", { name: "Hooks" }).click();
  await expect(theirs.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect(await statusOf(token)).toBe(401);

  // They can still sign in, but belong to no account.
  await theirs.getByLabel("Email").fill(email);
  await theirs.getByLabel("Password", { exact: true }).fill("a few words in a row");
  await theirs.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(
    theirs.getByRole("heading", { name: "You don't belong to an account" }),
  ).toBeVisible();
  await checkLayouts(theirs, "no-account");
  await context.close();
});

test("an owner creates an account, switches, hands it over, and deletes it with its name", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.makeHook({ name: "Stays here", provider: "generic" });
  await dashboard.open(page, "/account/general");
  const name = `Staging of ${dashboard.account.slug}`;
  await page.getByLabel("Name of the new account").fill(name);
  await page.getByRole("button", { name: "Create account" }).click();
  const choice = page.getByRole("combobox", { name: "Switch account" });
  await expect(choice.locator("option:checked")).toHaveText(name);
  await expect(
    page.getByRole("heading", { name: "Where do your webhooks come from?" }),
  ).toBeVisible();
  await choice.selectOption({ label: "people" });
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(`${dashboard.server.origin}/hooks`);
  await choice.selectOption({ label: name });
  await expect(
    page.getByRole("heading", { name: "Where do your webhooks come from?" }),
  ).toBeVisible();

  // A tab of the account before can't be used for changes, which would be made in this one.
  const switched = other.getByRole("dialog", { name: "You switched accounts" });
  await expect(switched).toContainText("This tab still shows people.");
  await checkLayouts(other, "switched-elsewhere");
  await choice.selectOption({ label: "people" });
  await expect(switched).toBeHidden();
  await choice.selectOption({ label: name });
  await switched.getByRole("button", { name: `Go to ${name}` }).click();
  await expect(
    other.getByRole("heading", { name: "Where do your webhooks come from?" }),
  ).toBeVisible();
  await other.close();

  await page.goto(`${dashboard.server.origin}/account/general`);
  await expect(page.getByText("You are the only member.")).toBeVisible();
  await checkLayouts(page, "general-owner");
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${name}?` });
  await expect(dialog.getByRole("button", { name: "Delete account" })).toBeDisabled();
  await dialog.getByLabel("Name").fill(name);
  await checkLayouts(page, "delete-account");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  // The other account is shown, and is as it was.
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(choice).toHaveCount(0);
  await page.getByRole("link", { name: "Hooks", exact: true }).click();
  await expect(page.getByRole("link", { name: "Stays here" })).toBeVisible();

  const email = `alan@${dashboard.account.slug}.example.com`;
  const path = await invite(page, email);
  const theirs = await page.context().browser()?.newPage();
  if (theirs === undefined) throw new Error("There is no browser");
  await theirs.goto(`${dashboard.server.origin}${path}`);
  await theirs.getByLabel("Your name").fill("Alan Turing");
  await theirs.getByLabel("Password", { exact: true }).fill("a few words in a row");
  await theirs.getByRole("button", { name: "Accept invitation" }).click();
  await expect(theirs).toHaveURL(`${dashboard.server.origin}/`);
  await page.goto(`${dashboard.server.origin}/account/general`);
  await page.getByRole("button", { name: "Transfer account" }).click();
  const handover = page.getByRole("dialog", { name: "Transfer people" });
  await handover.getByRole("button", { name: "Transfer account" }).click();
  await expect(handover.getByText("Choose a member.")).toBeVisible();
  await handover.getByLabel("New owner").selectOption({ label: `Alan Turing (${email})` });
  await checkLayouts(page, "transfer-account");
  await handover.getByRole("button", { name: "Transfer account" }).click();
  await expect(page.getByText("Alan Turing is the owner now. You are an admin.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete account" })).toHaveCount(0);
  await theirs.goto(`${dashboard.server.origin}/account/general`);
  await expect(theirs.getByRole("button", { name: "Delete account" })).toBeVisible();
  await theirs.close();
});
