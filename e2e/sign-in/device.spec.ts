import { expect, type Page, test } from "@playwright/test";
import { connectTo } from "../harness/connect-to.ts";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { checkLayouts } from "./check-layouts.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("device");
});
test.afterAll(async () => await dashboard?.stop());

type Fields = Readonly<Record<string, string>>;

/** A form to one of the endpoints, as a command line sends it. */
async function send(path: string, fields: Fields) {
  const body = new URLSearchParams({ client_id: "catchment-cli", ...fields });
  const response = await fetch(`${dashboard.server.origin}${path}`, { method: "POST", body });
  const text = await response.text();
  return text === "" ? {} : JSON.parse(text);
}

async function poll(code: string) {
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: code };
  return await send("/oauth/token", grant);
}

async function ask(host: string, scope: string) {
  return await send("/oauth/device_authorization", { host_name: host, scope });
}

async function continueWith(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("button", { name: "Allow" })).toBeVisible();
}

/** The person becomes a viewer of another account. */
async function joinOther(name: string): Promise<void> {
  await using client = await connectTo(dashboard.server.databaseUrl());
  await client.query(
    `with made as (
      insert into accounts (id, slug, name) values (gen_random_uuid(), $1, $2) returning id
    )
    insert into memberships (account_id, user_id, role)
    select made.id, users.id, 'viewer' from made, users where email = $3`,
    [`other-${dashboard.account.slug}`, name, dashboard.account.email],
  );
}

test("a person signs in, compares the code of the link, and allows a command line", async ({
  page,
}) => {
  const { origin } = dashboard.server;
  const metadata = await fetch(`${origin}/.well-known/oauth-authorization-server`);
  expect(await metadata.json()).toMatchObject({ token_endpoint: `${origin}/oauth/token` });
  const asked = await ask("ada-mbp.local", "hooks:read hooks:write deliveries:read events:write");
  await page.goto(asked.verification_uri_complete);
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fdevice%3Fuser_code%3D/);
  await page.getByLabel("Email").fill(dashboard.account.email);
  await page.getByLabel("Password", { exact: true }).fill(dashboard.account.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  await expect(page.getByRole("heading", { name: "Compare the code" })).toBeVisible();
  await expect(page.getByLabel("Code")).toHaveValue(asked.user_code);
  await checkLayouts(page, "device-code");
  // A link does nothing by itself.
  expect(await poll(asked.device_code)).toMatchObject({ error: "authorization_pending" });
  await continueWith(page);
  await expect(page.getByRole("heading", { name: "Sign in on ada-mbp.local?" })).toBeVisible();
  await expect(page.getByText("Edit hooks, secrets, and actions")).toBeVisible();
  await checkLayouts(page, "device-decision");
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: "Go back to your terminal" })).toBeVisible();
  await checkLayouts(page, "device-allowed");

  const { access_token: token } = await poll(asked.device_code);
  const hooks = () =>
    fetch(`${origin}/api/v1/hooks`, { headers: { authorization: `Bearer ${token}` } });
  expect((await hooks()).status).toBe(200);
  await page.goto(`${origin}/account/tokens`);
  await page.getByRole("button", { name: "Revoke CLI on ada-mbp.local" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  await expect(page.getByText("Revoked", { exact: true })).toBeVisible();
  expect((await hooks()).status).toBe(401);
});

test("on a phone, a person types the code, and denies what they didn't ask for", {
  tag: "@variant",
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await dashboard.open(page, "/device");
  const code = page.getByLabel("Code");
  await code.fill("0000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(code).toHaveAccessibleDescription(/8 letters and digits, such as WDJB-MJHT/);
  await code.fill("AAAA-AAAA");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(code).toHaveAccessibleDescription(/No sign-in waits for this code/);
  await checkLayouts(page, "device-wrong-code");

  await page.setViewportSize({ width: 390, height: 844 });
  await joinOther("Other & Daughters");
  const asked = await ask("build-server-in-another-region", "hooks:read members:write");
  await code.fill(asked.user_code.replace("-", "").toLowerCase());
  await continueWith(page);
  await expect(page.getByText("Invite, change, and remove members")).toBeVisible();
  await page.getByLabel("Account").selectOption({ label: "Other & Daughters (viewer)" });
  await expect(page.getByText("Your role in Other & Daughters is viewer, so")).toBeVisible();
  await checkLayouts(page, "device-choice");
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "Denied" })).toBeVisible();
  await checkLayouts(page, "device-denied");
  expect(await poll(asked.device_code)).toMatchObject({ error: "access_denied" });
});
