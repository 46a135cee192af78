import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;

const openTab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

test.beforeAll(async () => {
  dashboard = await startDashboard("hook-settings");
});
test.afterAll(async () => await dashboard?.stop());

test("renaming and rotating the secret show what happens to the old one, which can be ended", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({
    name: "Old name",
    provider: "stripe",
    signingSecret: `whsec_${"c".repeat(32)}`,
  });
  await dashboard.open(page, `/hooks/${hook.id}/settings`);
  const save = page.getByRole("button", { name: "Save", exact: true });
  await expect(page.getByRole("textbox", { name: "Name" })).toBeEditable();
  await expect(save).toHaveCount(0);
  await page.getByLabel("Rate limit, requests per second").fill("7");
  await page.getByRole("textbox", { name: "Name" }).fill("New name");
  // Each section that has changed is saved by itself, and keeps what was typed while another is.
  await expect(save).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("region", { name: "Name" }).getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "New name" })).toBeVisible();
  await expect(save).toHaveCount(1);
  await expect(page.getByLabel("Rate limit, requests per second")).toHaveValue("7");
  // It also stays while another tab is shown.
  await openTab(page, "Behavior");
  await expect(save).toHaveCount(0);
  const silence = page.getByRole("region", { name: "Silence" });
  await expect(silence).toContainText("Nothing has been accepted yet.");
  await silence.getByLabel("Expect at least one every … minutes").fill("5");
  await silence.getByRole("button", { name: "Save" }).click();
  await expect(silence.getByLabel("Expect at least one every … minutes")).toBeFocused();
  await expect(
    silence.getByLabel("Expect at least one every … minutes"),
  ).toHaveAccessibleDescription(/must be at least 10 minutes/);
  await silence.getByLabel("Expect at least one every … minutes").fill("90");
  await silence.getByRole("button", { name: "Save" }).click();
  await expect(save).toHaveCount(0);
  expect(await dashboard.api("GET", `/hooks/${hook.id}`)).toMatchObject({
    silence: { enabled: true, expectEveryMinutes: 90 },
  });
  await openTab(page, "Data");
  const retention = page.getByRole("region", { name: "Retention" });
  await retention.getByLabel("Keep the newest … deliveries").fill("5000");
  await retention.getByRole("button", { name: "Save" }).click();
  await expect(retention.getByRole("button", { name: "Save" })).toHaveCount(0);
  const fields = page.getByRole("region", { name: "Field search" });
  await fields.getByLabel("Index the fields of this hook's payloads").check();
  await fields.getByRole("button", { name: "Save" }).click();
  await expect(save).toHaveCount(0);
  await expectAccessible(page);
  expect(await dashboard.api("GET", `/hooks/${hook.id}`)).toMatchObject({
    ...{ retentionDays: null, retentionCount: 5_000, fieldSearch: true },
  });
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep editing" }).click();
  await openTab(page, "Verification");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByLabel("Rate limit, requests per second")).toHaveValue("");
  await expect(save).toHaveCount(0);
  await page.getByLabel("New secret").fill("not one of Stripe's");
  await page.getByLabel("Keep the current secret active").selectOption("for 1 more hour");
  await expect(page.getByText(/signed with either secret are accepted until/)).toBeVisible();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await expect(page.getByText("The new secret is active.")).toBeVisible();
  await expect(page.getByText(/usually start with "whsec_"/)).toBeVisible();
  await expect(page.getByText(/…cccc active until \w{3} \d\d:\d\d, in (59 min|1 h)/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Expire now: …cccc" }).click();
  await page.getByRole("button", { name: "Expire secret" }).click();
  await expect(page.getByText(/…cccc/)).toHaveCount(0);
  const { secrets } = (await dashboard.api("GET", `/hooks/${hook.id}`)) as { secrets: unknown[] };
  expect(secrets).toHaveLength(1);
});

test("the catch URL is rotated in the settings, the old one works " +
  "until it is ended, and a secret is generated", { tag: "@variant" }, async ({ page }) => {
  const hook = await dashboard.makeHook({
    name: "Leaked",
    provider: "gitlab",
    status: "pending",
  });
  await dashboard.open(page, `/hooks/${hook.id}/settings`);
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

  await page.getByRole("button", { name: "Generate secret" }).click();
  const secret = page.getByLabel("New secret");
  await expect(secret).toHaveValue(/^[0-9a-f]{64}$/);
  const typed = await secret.inputValue();
  await page.getByRole("button", { name: /^(Add|Rotate) secret$/ }).click();
  await expect(page.getByText(`…${typed.slice(-4)}`)).toBeVisible();
});

test("rules are tried on the latest deliveries before saving, and errors are shown at their field", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Rules" });
  for (const body of ['{"id":"1","key":"a"}', '{"id":"2","key":"a"}', '{"id":"3"}'])
    await dashboard.deliver(hook.catchUrl, body);
  await dashboard.open(page, `/hooks/${hook.id}/settings?tab=behavior`);
  const dedupe = page.getByRole("region", { name: "De-duplication" });
  await expect(dedupe.getByText("All of the last 3 deliveries have it.")).toBeVisible();
  await dedupe.getByLabel("Custom").check();
  await dedupe.getByLabel("Path").fill("no path.");
  await dedupe.getByRole("button", { name: "Save" }).click();
  await expect(dedupe.getByText(/Path has white space in a name without quotes/)).toBeVisible();
  await dedupe.getByLabel("Path").fill("key");
  await expect(dedupe.getByText(/1 of the last 3 deliveries doesn't have/)).toBeVisible();
  await expect(dedupe.getByText(/1 repeats another one/)).toBeVisible();
  await dedupe.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. This applies to new deliveries.").first()).toBeVisible();
  await expect(dedupe.getByRole("button", { name: "Save" })).toHaveCount(0);

  await openTab(page, "Verification");
  const takes = page.getByRole("region", { name: "Accepted requests" });
  await takes.getByLabel("PUT").check();
  await takes.getByLabel("Rate limit, requests per second").fill("many");
  await takes.getByRole("button", { name: "Save" }).click();
  await expect(takes.getByLabel("Rate limit, requests per second")).toHaveAccessibleDescription(
    /must be a whole number of requests/,
  );
  await takes.getByLabel("Rate limit, requests per second").fill("50");
  await takes.getByRole("button", { name: "Save" }).click();
  await openTab(page, "Behavior");
  const response = page.getByRole("region", { name: "Response" });
  await response.getByLabel("Custom response").check();
  await response.getByLabel("Status").fill("500");
  await response.getByRole("button", { name: "Save" }).click();
  await expect(response.getByText("Status must be a status from 200 to 299")).toBeVisible();
  await response.getByLabel("Status").fill("202");
  await response.getByLabel("Body").fill("Hello");
  await expect(response.getByText(/HTTP\/1.1 202/)).toBeVisible();
  await expectAccessible(page);
  await response.getByRole("button", { name: "Save" }).click();
  await expect(response.getByRole("button", { name: "Save" })).toHaveCount(0);
  expect(await dashboard.api("GET", `/hooks/${hook.id}`)).toMatchObject({
    dedupe: { from: "body", path: "key" },
    methods: ["POST", "PUT"],
    ratePerSecond: 50,
    response: { status: 202, body: "Hello" },
  });

  await openTab(page, "Verification");
  await page.getByRole("link", { name: "Change provider" }).click();
  await page.getByRole("link", { name: "GitHub" }).click();
  await expect(page.getByText(/must be signed as GitHub signs/)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Signing secret").fill("a secret that is long enough to be hinted at");
  await page.getByRole("button", { name: "Change provider" }).click();
  await expect(page.getByRole("region", { name: "Signing secret" })).toContainText("…d at");
});
