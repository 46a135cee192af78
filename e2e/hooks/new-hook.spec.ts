import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("new-hook");
});
test.afterAll(async () => await dashboard?.stop());

test("a new hook waits for its first delivery, which appears automatically and shows the next step", async ({
  page,
}) => {
  await dashboard.open(page, "/hooks/new");
  await expectAccessible(page);
  await page.getByRole("link", { name: /^Other \(unsigned\)/ }).click();
  await page.getByLabel("Name").fill("First");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create hook" }).click();
  await expect(page.getByRole("heading", { name: "Waiting for the first delivery" })).toBeVisible();
  await expectAccessible(page);
  await expect(
    page.getByText(/127\.0\.0\.1 only exists on your own machine.*CATCHMENT_PUBLIC_URL/),
  ).toBeVisible();
  await page.getByRole("button", { name: "Don't show again" }).click();
  await expect(page.getByText(/only exists on your own machine/)).toHaveCount(0);
  const catchUrl = (await page.locator("code").first().textContent()) ?? "";
  await dashboard.deliver(catchUrl, '{"id":"evt_first","type":"first.arrived"}');
  await expect(page.getByRole("heading", { name: "The first delivery is here" })).toBeVisible();
  await expect(page.getByRole("link", { name: "first.arrived" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Create action" }).click();
  await expect(page.getByRole("heading", { name: "New action" })).toBeVisible();
});

test("a provider is found by typing or by arrow keys, and oddities of a secret stay visible", async ({
  page,
}) => {
  await dashboard.open(page, "/hooks/new");
  const search = page.getByLabel("Search providers");
  await expect(search).toBeFocused();
  await search.fill("git lab");
  await expect(page.getByRole("link", { name: /GitLab \(secret token\)/ })).toBeVisible();
  await expect(page.getByRole("link", { name: /Stripe/ })).toHaveCount(0);
  await search.fill("no such provider");
  await expect(page.getByRole("link", { name: /^Other \(unsigned\)/ })).toBeVisible();
  await search.fill("bitbucket");
  await expect(
    page.getByRole("link", { name: /not confirmed against the provider/ }),
  ).toBeVisible();
  await search.fill("");
  await search.press("ArrowDown");
  await expect(page.getByRole("link", { name: /^Stripe/ })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(search).toBeFocused();
  await search.fill("stri");
  await search.press("Enter");

  await expect(page.getByLabel("Name")).toHaveValue("Stripe");
  await page.getByRole("button", { name: "Create hook" }).click();
  await expect(page.getByText("Paste the signing secret, or choose")).toBeVisible();
  const secret = page.getByLabel("Signing secret", { exact: true });
  await expect(secret).toBeFocused();
  await secret.fill(` "whsec_${"b".repeat(32)}"`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Remove the white space" }).click();
  await page.getByRole("button", { name: "Remove the quotation marks" }).click();
  await expect(secret).toHaveValue(`whsec_${"b".repeat(32)}`);
  await secret.fill("sk_live_1");
  await expect(page.getByText(/^The secret is an API key, not a signing secret/)).toBeVisible();
  const spaced = `whsec_${"b".repeat(32)} `;
  await secret.fill(spaced);
  await page.getByRole("button", { name: "Ignore" }).click();
  await expect(secret).toHaveValue(spaced);
  await expect(page.getByRole("button", { name: "Remove the white space" })).toHaveCount(0);
});

test("a hook whose provider signs shows where to paste the URL, and asks for the secret", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Payments", provider: "stripe" });
  await dashboard.open(page, `/hooks/${hook.id}`);
  await expect(page.getByRole("heading", { name: "Paste it into Stripe" })).toBeVisible();
  await expect(page).toHaveTitle("Payments · Catchment");
  await expect(page.getByRole("link", { name: /Stripe webhook docs/ })).toBeVisible();
  await page.getByLabel("Signing secret").fill(`whsec_${"b".repeat(32)}`);
  await page.getByRole("button", { name: "Add secret" }).click();
  await expect(page.getByLabel("Signing secret")).toHaveCount(0);
});

test("a custom scheme is configured in a form, and errors are shown at their field", async ({
  page,
}) => {
  await dashboard.open(page, "/hooks/new?from=custom");
  await page.getByLabel("Name").fill("Own");
  await page.getByLabel("Signature header").fill("x-own signature");
  await page
    .getByLabel("Header format")
    .selectOption("A constant text, then the signature: sha256=…");
  await page.getByLabel("Constant text").fill("sha256=");
  await expect(page.getByText("sha256=5257")).toBeVisible();
  await page.getByLabel("I don't have it yet").check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create hook" }).click();
  await expect(page.getByText("Signature header is not a header name")).toBeVisible();
  await page.getByLabel("Signature header").fill("x-own-signature");
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  await expect(page.getByLabel("Verification as JSON")).toHaveText(/"prefix": "sha256="/);
  await page.getByRole("button", { name: "Edit as form" }).click();
  await expect(page.getByLabel("Constant text")).toHaveValue("sha256=");
  await page.getByLabel("The provider sends a challenge to check the URL").check();
  await page.getByLabel("Challenge name").fill("challengeCode");
  await page.getByLabel("Reply with").selectOption("The challenge in JSON");
  await page.getByLabel("HMAC field").fill("challengeResponse");
  await page.getByLabel("Authentication method").selectOption("A JSON Web Token (JWT)");
  await page.getByLabel("Body hash claim").fill("payload_hash");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create hook" }).click();
  await expect(
    page.getByText(/can't be used here: it needs a verification of kind mac/),
  ).toBeVisible();
  await page.getByLabel("HMAC field").fill("");
  await page.getByRole("button", { name: "Create hook" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Own" })).toBeVisible();
});

test("a placeholder or an API key is pointed out before saving, and the time window can be changed", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.open(page, "/hooks/new?from=stripe");
  await page.getByLabel("Signing secret", { exact: true }).fill("sk_live_51Habcdefgh");
  await expect(page.getByText("The secret is an API key, not a signing secret.")).toBeVisible();
  await page
    .getByLabel("Signing secret", { exact: true })
    .fill(`STRIPE_SECRET=whsec_${"d".repeat(32)}`);
  await page.getByRole("button", { name: "Remove the name" }).click();
  await expect(page.getByLabel("Signing secret", { exact: true })).toHaveValue(
    `whsec_${"d".repeat(32)}`,
  );
  await page.getByRole("button", { name: "Create hook" }).click();
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Time window, in seconds").fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("must be at least 1 s")).toBeVisible();
  await page.getByLabel("Time window, in seconds").fill("900");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. This applies to new deliveries.")).toBeVisible();
});
