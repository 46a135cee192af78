import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

const event = {
  id: "evt_map_1",
  type: "checkout.session.completed",
  data: { object: { customer_email: "ada@example.com", amount_total: 4200, "odd name": "<b>x</b>" } },
};

test.beforeAll(async () => {
  test.setTimeout(120_000);
  dashboard = await startDashboard("action-page");
  hook = await dashboard.makeHook({ name: "Shop" });
  await dashboard.deliver(hook.catchUrl, JSON.stringify(event));
});
test.afterAll(async () => await dashboard?.stop());

test("fields clicked into a request become the call that the next delivery makes", async ({ page }) => {
  await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Insert {{ data.object.amount_total }}" }).click();
  await expect(page.getByText(/Put the cursor into a field/)).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("To the CRM");
  await page.getByLabel("URL", { exact: true }).fill(dashboard.receiver.url("/people/"));
  await page.getByRole("button", { name: "Insert {{ id }}" }).click();
  await page.getByLabel("Field 1, name").fill("email");
  await page.getByLabel("Field 1, value").click();
  await page.getByRole("button", { name: "Insert {{ data.object.customer_email }}" }).click();
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByLabel("Field 2, name").fill("amount");
  await page.getByLabel("Field 2, value").click();
  await page.getByRole("button", { name: "Insert {{ data.object.amount_total }}" }).click();
  await page.getByLabel("Authentication").selectOption("Bearer token");
  await page.getByLabel("Token", { exact: true }).fill("secret-token-of-the-crm");
  await expect(page.getByText("Would be sent", { exact: true })).toBeVisible();
  const expected = '{"email":"ada@example.com","amount":4200}';
  await expect(page.getByRole("region", { name: "Body of the request" })).toHaveText(expected);
  await expect(page.getByText(dashboard.receiver.url("/people/evt_map_1")).first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page.getByRole("link", { name: "To the CRM" })).toBeVisible();

  await dashboard.deliver(hook.catchUrl, JSON.stringify({ ...event, id: "evt_map_2" }));
  await expect.poll(() => dashboard.receiver.calls.length).toBe(1);
  expect(dashboard.receiver.calls[0]).toMatchObject({
    method: "POST",
    path: "/people/evt_map_2",
    body: expected,
  });
  expect(dashboard.receiver.calls[0]?.headers.authorization).toBe("Bearer secret-token-of-the-crm");

  await page.getByRole("link", { name: "To the CRM" }).click();
  await expect(page.getByLabel("Authentication")).toHaveValue("keep");
  expect(await page.content()).not.toContain("secret-token-of-the-crm");
  await page.getByLabel("Name", { exact: true }).fill("To the new CRM");
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page.getByRole("link", { name: "To the new CRM" })).toBeVisible();
  await dashboard.deliver(hook.catchUrl, JSON.stringify({ ...event, id: "evt_map_3" }));
  await expect.poll(() => dashboard.receiver.calls.length).toBe(2);
  expect(dashboard.receiver.calls[1]?.headers.authorization).toBe("Bearer secret-token-of-the-crm");

  await page.getByRole("button", { name: "Switch off To the new CRM" }).click();
  await expect(page.getByText("Off", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Delete To the new CRM" }).click();
  await page.getByRole("button", { name: "Delete action" }).click();
  await expect(page.getByText("No actions yet")).toBeVisible();
});

test("every name that is missing is marked at its field; a broken template is refused with its place", async ({
  page,
}) => {
  await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
  await page.getByLabel("Name", { exact: true }).fill("Broken");
  await page.getByLabel("URL", { exact: true }).fill(`${dashboard.receiver.url("/")}{{ data.nobody }}`);
  await page.getByLabel("Field 1, name").fill("email");
  await page.getByLabel("Field 1, value").fill("{{ data.object.mail }}");
  await expect(page.getByText("Would not be sent")).toBeVisible();
  await expect(page.getByLabel("URL", { exact: true })).toHaveAccessibleDescription(
    /data.nobody is not in this payload/,
  );
  await expect(page.getByLabel("Field 1, value")).toHaveAccessibleDescription(
    /data.object.mail is not in this/,
  );
  await expectAccessible(page);
  await page.getByLabel("URL", { exact: true }).fill(dashboard.receiver.url("/"));
  await page.getByLabel("Field 1, value").fill("{{ data.object.mail | nofilter }}");
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page.getByLabel("Field 1, value")).toHaveAccessibleDescription(
    /line 1, column \d+: .*nofilter/,
  );
  const { data } = (await dashboard.api("GET", `/hooks/${hook.id}/actions`)) as { data: unknown[] };
  expect(data).toEqual([]);
});

test("JSON as text takes fields with the quotes that are missing, and shows strangers' text as text", async ({
  page,
}) => {
  await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
  await page.getByLabel("Name", { exact: true }).fill("As text");
  await page.getByLabel("URL", { exact: true }).fill(dashboard.receiver.url("/json"));
  await page.getByLabel("Body", { exact: true }).selectOption("JSON as text");
  await page.getByLabel("JSON", { exact: true }).fill('{"n": ');
  await page.getByRole("button", { name: `Insert {{ data.object["odd name"] }}` }).click();
  await page.keyboard.type("}");
  await expect(page.getByLabel("JSON", { exact: true })).toHaveValue(
    '{"n": "{{ data.object[\\"odd name\\"] }}"}',
  );
  await expect(page.getByRole("region", { name: "Body of the request" })).toHaveText('{"n":"<b>x</b>"}');
  await page.getByLabel("Method", { exact: true }).selectOption("GET");
  await expect(page.getByText("A GET request has no body.")).toBeVisible();
});

test("an address that may not be called is refused, and nothing is saved", async ({ page }) => {
  await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
  await page.getByLabel("Name", { exact: true }).fill("Metadata");
  await page.getByLabel("URL", { exact: true }).fill("http://169.254.169.254/latest/meta-data");
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page.getByLabel("URL", { exact: true })).toHaveAccessibleDescription(/CATCHMENT_EGRESS_ALLOW/);
});
