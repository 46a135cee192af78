import { expect as expectSoon, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";
import { makeStripeBody, signStripe, stripeSecret } from "./harness/stripe-delivery.ts";

// A machine that does other things too takes its time: what is waited for is the state, not the clock.
const expect = expectSoon.configure({ timeout: 25_000 });
test.describe.configure({ timeout: 120_000 });

let dashboard: Dashboard;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  dashboard = await startDashboard("hook-page");
});
test.afterAll(async () => await dashboard?.stop());

test("a new hook waits for its first delivery, which shows up by itself and leads on", async ({
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
  const catchUrl = (await page.locator("code").first().textContent()) ?? "";
  await dashboard.deliver(catchUrl, '{"id":"evt_first","type":"first.arrived"}');
  await expect(page.getByRole("heading", { name: "The first delivery is here" })).toBeVisible();
  await expect(page.getByRole("link", { name: "first.arrived" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Create action" }).click();
  await expect(page.getByRole("heading", { name: "New action" })).toBeVisible();
});

test("a provider is found by typing or by arrow keys, and keeps what is odd about a secret visible", async ({
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
  await expect(page.getByRole("link", { name: /^Other \(unsigned\)/ })).toBeFocused();
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

test("a hook whose provider signs says where to paste the URL, and asks for the secret", async ({
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

test("a scheme of one’s own is put together from fields, errors stand where they belong", async ({
  page,
}) => {
  await dashboard.open(page, "/hooks/new?from=custom");
  await page.getByLabel("Name").fill("Own");
  await page.getByLabel("Signature header").fill("x-own signature");
  await page
    .getByLabel("The header holds")
    .selectOption("A constant text, then the signature: sha256=…");
  await page.getByLabel("Constant text").fill("sha256=");
  await expect(page.getByText("sha256=5257")).toBeVisible();
  await page.getByLabel("I don’t have it yet").check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create hook" }).click();
  await expect(page.getByText("Signature header is not a header name")).toBeVisible();
  await page.getByLabel("Signature header").fill("x-own-signature");
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  await expect(page.getByLabel("Verification as JSON")).toHaveValue(/"prefix": "sha256="/);
  await page.getByRole("button", { name: "Edit as form" }).click();
  await expect(page.getByLabel("Constant text")).toHaveValue("sha256=");
  await page.getByLabel("The provider sends a challenge to check the URL").check();
  await page.getByLabel("Name of the challenge").fill("challengeCode");
  await page.getByLabel("Reply with").selectOption("The challenge in JSON");
  await page.getByLabel("JSON field of the HMAC").fill("challengeResponse");
  await page.getByLabel("Authentication method").selectOption("A JSON Web Token (JWT)");
  await page.getByLabel("Claim with the body’s hash").fill("payload_hash");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create hook" }).click();
  await expect(
    page.getByText(/can't be used here: it is for a verification of kind mac/),
  ).toBeVisible();
  await page.getByLabel("JSON field of the HMAC").fill("");
  await page.getByRole("button", { name: "Create hook" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Own" })).toBeVisible();
});

test("a placeholder or an API key is named before it is saved, and the time window can be changed", async ({
  page,
}) => {
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
  await page.getByRole("button", { name: "Save time window" }).click();
  await expect(page.getByText("must be at least 1 s")).toBeVisible();
  await page.getByLabel("Time window, in seconds").fill("900");
  await page.getByRole("button", { name: "Save time window" }).click();
  await expect(page.getByText("Saved. This applies to new deliveries.")).toBeVisible();
});

test("pausing, resuming, disabling and enabling are said and done", async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Moody" });
  const status = async () => (await dashboard.api("GET", `/hooks/${hook.id}`)).status;
  await dashboard.open(page, `/hooks/${hook.id}`);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  expect(await status()).toBe("paused");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Disable hook" }).click();
  await expect(page.getByText("Disabled", { exact: true })).toBeVisible();
  expect(await status()).toBe("disabled");
});

test("renaming and rotating the secret tell what happens to the old one, which can be ended", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({
    name: "Old name",
    provider: "stripe",
    signingSecret: `whsec_${"c".repeat(32)}`,
  });
  await dashboard.open(page, `/hooks/${hook.id}/settings`);
  await page.getByRole("textbox", { name: "Name" }).fill("New name");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByRole("heading", { name: "New name" })).toBeVisible();
  await page.getByLabel("New secret").fill("not one of Stripe's");
  await page.getByLabel("Keep the current secret active").selectOption("for 1 more hour");
  await expect(page.getByText(/signed with either secret are accepted until/)).toBeVisible();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await expect(page.getByText("The new secret is active.")).toBeVisible();
  await expect(page.getByText(/usually start with "whsec_"/)).toBeVisible();
  await expect(page.getByText(/…cccc passes until \w{3} \d\d:\d\d, in (59 min|1 h)/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Expire now: …cccc" }).click();
  await page.getByRole("button", { name: "Expire secret" }).click();
  await expect(page.getByText(/…cccc/)).toHaveCount(0);
  const { secrets } = (await dashboard.api("GET", `/hooks/${hook.id}`)) as { secrets: unknown[] };
  expect(secrets).toHaveLength(1);
});

test("the catch URL is rotated in the settings, the old one works until it is ended, and a secret is generated", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Leaked", provider: "gitlab", status: "pending" });
  await dashboard.open(page, `/hooks/${hook.id}/settings`);
  await page
    .getByRole("navigation", { name: "Settings" })
    .getByRole("link", { name: "Catch URL" })
    .click();
  const part = page.getByRole("region", { name: "Catch URL" });
  await expect(part.getByText(/Secret token/)).toBeVisible();
  await part.getByLabel("Keep the current URL working for").selectOption("7 days");
  await part.getByLabel("URL prefix").fill("orders");
  await part.getByRole("button", { name: "Rotate catch URL" }).click();
  await page.getByRole("button", { name: "Rotate URL" }).click();
  await expect(part.getByText("The previous URL still works")).toBeVisible();
  await expect(part.getByText(/Until .*in (6|7) days/)).toBeVisible();
  await expectAccessible(page);
  const { catchUrl } = (await dashboard.api("GET", `/hooks/${hook.id}`)) as { catchUrl: string };
  expect(catchUrl).toMatch(/\/orders-[0-9a-z]{26}$/);
  const statusOf = async (url: string) => (await fetch(url, { method: "POST", body: "{}" })).status;
  expect([await statusOf(catchUrl), await statusOf(hook.catchUrl)]).toEqual([200, 200]);
  await part.getByRole("button", { name: "Expire previous URL" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Expire now" }).click();
  await expect(part.getByText("The previous URL still works")).toHaveCount(0);
  await expect.poll(() => statusOf(hook.catchUrl)).toBe(404);
  expect(await statusOf(catchUrl)).toBe(200);

  await page.getByRole("button", { name: "Generate a secret" }).click();
  const secret = page.getByLabel("New secret");
  await expect(secret).toHaveValue(/^[0-9a-f]{64}$/);
  const typed = await secret.inputValue();
  await page.getByRole("button", { name: /^(Add|Rotate) secret$/ }).click();
  await expect(page.getByText(`…${typed.slice(-4)}`)).toBeVisible();
});

test("rules are tried on the latest deliveries before they are saved, and errors stand at their field", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Rules" });
  for (const body of ['{"id":"1","key":"a"}', '{"id":"2","key":"a"}', '{"id":"3"}'])
    await dashboard.deliver(hook.catchUrl, body);
  await dashboard.open(page, `/hooks/${hook.id}/settings`);
  const dedupe = page.getByRole("region", { name: "De-duplication" });
  await expect(dedupe.getByText("All of the last 3 deliveries have it.")).toBeVisible();
  await dedupe.getByLabel("Custom").check();
  await dedupe.getByLabel("Path").fill("no path.");
  await dedupe.getByRole("button", { name: "Save" }).click();
  await expect(dedupe.getByText(/Path must be a dotted path/)).toBeVisible();
  await dedupe.getByLabel("Path").fill("key");
  await expect(dedupe.getByText(/1 of the last 3 deliveries has no such value/)).toBeVisible();
  await expect(dedupe.getByText(/1 repeats another one/)).toBeVisible();
  await dedupe.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. This applies to new deliveries.").first()).toBeVisible();

  const takes = page.getByRole("region", { name: "Accepted requests" });
  await takes.getByLabel("PUT").check();
  await takes.getByRole("button", { name: "Save" }).click();
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.getByLabel("Custom response").check();
  await answer.getByLabel("Status").fill("500");
  await answer.getByRole("button", { name: "Save" }).click();
  await expect(answer.getByText("Status must be a status from 200 to 299")).toBeVisible();
  await answer.getByLabel("Status").fill("202");
  await answer.getByLabel("Body").fill("Hello");
  await expect(answer.getByText(/HTTP\/1.1 202/)).toBeVisible();
  await expectAccessible(page);
  await answer.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. New deliveries get this response.")).toBeVisible();
  expect(await dashboard.api("GET", `/hooks/${hook.id}`)).toMatchObject({
    dedupe: { from: "body", path: "key" },
    methods: ["POST", "PUT"],
    response: { status: 202, body: "Hello" },
  });

  await page.getByRole("link", { name: "Change provider" }).click();
  await page.getByRole("link", { name: "GitHub" }).click();
  await expect(page.getByText(/must be signed as GitHub signs/)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Signing secret").fill("a secret that is long enough to be hinted at");
  await page.getByRole("button", { name: "Change provider" }).click();
  await expect(page.getByRole("region", { name: "Signing secret" })).toContainText("…d at");
});

test("a hook without its secret keeps what comes, and verifies and runs it by one click", async ({
  page,
}) => {
  await dashboard.open(page, "/hooks/new?from=stripe");
  await page.getByLabel("I don’t have it yet").check();
  await page.getByRole("button", { name: "Create hook" }).click();
  await expect(page.getByText("Awaiting secret")).toBeVisible();
  const catchUrl = (await page.locator("code").first().textContent()) ?? "";
  const body = makeStripeBody("evt_kept_1");
  const headers = {
    "content-type": "application/json",
    "stripe-signature": signStripe(body, Date.now()),
  };
  await dashboard.deliver(catchUrl, new Uint8Array(body), headers);
  await expect(
    page.getByRole("heading", { name: "A delivery is awaiting verification" }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Signing secret").fill(stripeSecret);
  await page.getByRole("button", { name: "Add secret" }).click();
  await expect(page.getByRole("heading", { name: "1 delivery isn’t verified yet" })).toBeVisible();
  await page.getByRole("button", { name: "Verify and run it" }).click();
  await expect(page.getByText("Verified: 1 accepted.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "The first delivery is here" })).toBeVisible();
});

test("a hook is deleted only by who types its name", async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "To be gone" });
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_lost"}');
  await dashboard.open(page, `/hooks/${hook.id}/settings`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Delete hook" })).toBeDisabled();
  await expect(
    dialog.getByText("This also deletes 1 delivery, 0 actions, 0 secrets"),
  ).toBeVisible();
  await dialog.getByLabel("Name").fill("To be gone");
  await dialog.getByRole("button", { name: "Delete hook" }).click();
  await expect(page).toHaveURL(/\/hooks$/);
  await expect(dashboard.api("GET", `/hooks/${hook.id}`)).rejects.toThrow(/404/);
});

test("the list of hooks shows how each stands, and changes it where it stands", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Listed" });
  await dashboard.makeHook({ name: "Beside it", provider: "github" });
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_1"}');
  await dashboard.deliver(hook.catchUrl, "{broken");
  await dashboard.open(page, "/hooks?q=listed");
  const row = page.getByRole("row").filter({ hasText: "Listed" });
  await expect(
    row.getByRole("img", { name: "2 deliveries in 24 hours, 1 of them rejected" }),
  ).toBeVisible();
  await expect(row.getByText("Active")).toBeVisible();
  await expectAccessible(page);
  await row.getByRole("button", { name: "Rename Listed" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("New name of Listed").fill("Listed anew");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Renamed to “Listed anew”.")).toBeVisible();
  const renamed = page.getByRole("row").filter({ hasText: "Listed anew" });
  await renamed.getByRole("button", { name: "More for Listed anew" }).click();
  await expect(page.getByRole("menuitem", { name: "Pause" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await expect(page.getByText("“Listed anew” is paused.")).toBeVisible();
  await expect(renamed.getByText("Paused", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(renamed.getByText("Active", { exact: true })).toBeVisible();
  await page.getByRole("searchbox").fill("beside");
  await page.getByLabel("Status").selectOption("Paused");
  await expect(page.getByText("No matching hooks")).toBeVisible();
  await expect(page).toHaveURL(/\/hooks\?q=beside&status=paused$/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Beside it" })).toContainText(
    "Rejecting: no secret",
  );
});

test("pages and filters of a hook's deliveries stand in the address, and lead back", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Busy" });
  const send = (number: number) =>
    dashboard.deliver(
      hook.catchUrl,
      JSON.stringify({
        id: `evt_${number}`,
        type: number % 2 === 0 ? "order.paid" : "order.opened",
      }),
    );
  for (let number = 1; number <= 60; number += 1) await send(number);
  await dashboard.deliver(hook.catchUrl, "{broken");
  await dashboard.open(page, `/hooks/${hook.id}`);
  await expect(page.getByRole("row")).toHaveCount(51);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page.getByText(/"evt_1"/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Older" })).toHaveCount(0);
  await page.getByRole("link", { name: "Newer" }).click();
  await expect(page.getByText(/"evt_60"/)).toBeVisible();

  await expect(page.getByRole("button", { name: "Filters", includeHidden: true })).toBeEnabled();
  await page.getByLabel("Status").selectOption("Rejected");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByText("Invalid JSON")).toBeVisible();
  await expect(page).toHaveURL(/\?status=rejected$/);
  await page.goto(page.url());
  await expect(page.getByLabel("Status")).toHaveValue("rejected");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("row")).toHaveCount(51);
  await page.getByRole("searchbox").fill("evt_7");
  await expect(page.getByRole("row")).toHaveCount(2);

  await page.getByRole("button", { name: "Clear filters" }).click();
  const type = page.getByLabel("Event type");
  await type.focus();
  await expect(page.locator("datalist option")).toHaveCount(2);
  await type.fill("order.opened");
  await expect(page).toHaveURL(/eventType=order\.opened$/);
  await expect(page.getByRole("row", { name: /order\.opened/ })).toHaveCount(30);

  // On a phone the filters leave the screen to the list.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByLabel("Status")).toBeHidden();
  await page.getByRole("button", { name: "Filters (1)" }).click();
  await page.getByLabel("Status").selectOption("Accepted");
  await expect(page.getByRole("button", { name: "Filters (2)" })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 720 });

  await dashboard.open(page, `/deliveries?eventType=order.paid&eventId=evt_8`);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row").last()).toContainText("Busy");
  await dashboard.open(page, "/deliveries?status=lost&cursor=nonsense");
  await expect(page.getByText(/must be one of accepted/)).toBeVisible();
  await dashboard.open(page, "/deliveries?cursor=nonsense");
  await expect(page.getByText("Page not found in this list.")).toBeVisible();
  await expectAccessible(page);
});

test("a hook's list takes in what arrives, and nothing of another hook", async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Live" });
  const other = await dashboard.makeHook({ name: "Beside" });
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_seen"}');
  await dashboard.open(page, `/hooks/${hook.id}`);
  await expect(page.getByText(/"evt_seen"/)).toBeVisible();
  await dashboard.deliver(other.catchUrl, '{"id":"evt_beside"}');
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_live"}');
  // Beyond the fold the list stays as it is, and a button says what is new.
  const shown = page.getByText(/"evt_live"/);
  const button = page.getByRole("button", { name: "1 new" });
  await expect(shown.or(button)).toBeVisible();
  if (await button.isVisible()) await button.click();
  await expect(shown).toBeVisible();
  await expect(page.getByText("evt_beside")).toHaveCount(0);
});
