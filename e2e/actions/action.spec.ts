import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { chooseInMenu } from "../harness/hand.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

const event = {
  id: "evt_map_1",
  type: "checkout.session.completed",
  data: {
    object: { customer_email: "ada@example.com", amount_total: 4200, "odd name": "<b>x</b>" },
  },
};

test.beforeAll(async () => {
  dashboard = await startDashboard("action-page");
  hook = await dashboard.makeHook({ name: "Shop" });
  await dashboard.deliver(hook.catchUrl, JSON.stringify(event));
});
test.afterAll(async () => await dashboard?.stop());

test("clicked fields become the next call", { tag: "@variant" }, async ({ page }) => {
  await dashboard.openNewAction(page, hook.id);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Insert {{ data.object.amount_total }}" }).click();
  await expect(page.getByLabel("Field 1, name")).toHaveValue("amount_total");
  await expect(page.getByLabel("Field 1, value")).toHaveText("{{ data.object.amount_total }}");
  await page.getByLabel("Name", { exact: true }).fill("To the CRM");
  const tree = page.getByRole("tree", { name: "Fields of the delivery" });
  await page.getByLabel("URL", { exact: true }).fill(dashboard.receiver.url("/people/"));
  await expect(tree).toHaveAccessibleDescription("Inserts into: Body");
  await page.keyboard.insertText("{{");
  await expect(tree).toHaveAccessibleDescription("Inserts into: URL");
  await page.getByRole("button", { name: "Insert {{ id }}" }).click();
  await page.getByLabel("Field 1, name").fill("amount");
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByLabel("Field 2, name").fill("email");
  await page.getByLabel("Field 2, value").click();
  await page.getByRole("button", { name: "Insert {{ data.object.customer_email }}" }).click();
  await page.getByLabel("Authentication").selectOption("Bearer token");
  await page.getByLabel("Token", { exact: true }).fill("secret-token-of-the-crm");
  await expect(page.getByText("Ready to send", { exact: true })).toBeVisible();
  const expected = '{"amount":4200,"email":"ada@example.com"}';
  const shown = '{ "amount": 4200, "email": "ada@example.com" }';
  await expect(page.getByRole("region", { name: "Request body" })).toHaveText(shown);
  await expect(page.getByText(dashboard.receiver.url("/people/evt_map_1")).first()).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByText("becomes ada@example.com")).toBeVisible();
  await expect(page.getByText("becomes 4200")).toBeVisible();
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page).toHaveURL(/\/actions\/[0-9a-f-]+/);
  await expect(page.getByRole("heading", { level: 1, name: "To the CRM" })).toBeVisible();
  await expectAccessible(page);

  await dashboard.deliver(hook.catchUrl, JSON.stringify({ ...event, id: "evt_map_2" }));
  await expect.poll(() => dashboard.receiver.calls.length).toBe(1);
  expect(dashboard.receiver.calls[0]).toMatchObject({
    method: "POST",
    path: "/people/evt_map_2",
    body: expected,
  });
  expect(dashboard.receiver.calls[0]?.headers.authorization).toBe("Bearer secret-token-of-the-crm");

  await page.reload();
  await expect(page.getByLabel("Authentication")).toHaveValue("keep");
  expect(await page.content()).not.toContain("secret-token-of-the-crm");
  await page.getByLabel("Name", { exact: true }).fill("To the new CRM");
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
  await dashboard.deliver(hook.catchUrl, JSON.stringify({ ...event, id: "evt_map_3" }));
  await expect.poll(() => dashboard.receiver.calls.length).toBe(2);
  expect(dashboard.receiver.calls[1]?.headers.authorization).toBe("Bearer secret-token-of-the-crm");

  const title = page.getByRole("heading", { level: 1 });
  await expect(title).toHaveText("To the new CRM");
  await chooseInMenu(page, "To the new CRM", "Duplicate…");
  const dialog = page.getByRole("dialog", { name: "Duplicate action" });
  await expect(dialog.getByLabel("Name")).toHaveValue("To the new CRM (copy)");
  await dialog.getByRole("button", { name: "Duplicate action" }).click();
  await expect(title).toHaveText("To the new CRM (copy)");
  await expect(page.getByLabel("Authentication")).toHaveValue("keep");
  await chooseInMenu(page, "To the new CRM (copy)", "Delete…");
  await page.getByRole("button", { name: "Delete action" }).click();
  await chooseInMenu(page, "To the new CRM", "Disable");
  await expect(page.getByText("Off", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Edit To the new CRM" }).click();
  await page.getByRole("link", { name: "View runs" }).click();
  await expect(page).toHaveURL(/\/runs\?actionId=/);
  await page.goBack();
  await chooseInMenu(page, "To the new CRM", "Delete…");
  await page.getByRole("button", { name: "Delete action" }).click();
  await expect(page.getByText(/No actions yet. An action calls another system/)).toBeVisible();
});

test("an action without a name is rejected at its name, however it is saved", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.openNewAction(page, hook.id);
  const url = page.getByLabel("URL", { exact: true });
  await url.fill(dashboard.receiver.url("/"));
  for (const save of [
    () => page.getByRole("button", { name: "Save action" }).click(),
    () => page.getByRole("button", { name: "Save action" }).press("Enter"),
    () => url.press("ControlOrMeta+s"),
  ]) {
    await save();
    await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
    await expect(page.getByText("Not saved. Check the marked fields.")).toBeInViewport();
    await url.focus();
  }
});

test("every missing name is marked at its field; an invalid template is rejected with its position", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.openNewAction(page, hook.id);
  await page.getByLabel("Name", { exact: true }).fill("Broken");
  await page
    .getByLabel("URL", { exact: true })
    .fill(`${dashboard.receiver.url("/")}{{ data.unknown }}`);
  await page.getByLabel("Field 1, name").fill("email");
  await page.getByLabel("Field 1, value").fill("{{ data.object.mail }}");
  await expect(page.getByText("Can't be sent")).toBeVisible();
  await expect(page.getByLabel("URL", { exact: true })).toHaveAccessibleDescription(
    /data.unknown is not in this payload/,
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
  expect(await dashboard.api("GET", `/hooks/${hook.id}/actions`)).toMatchObject({ data: [] });
});

test("JSON as text gets fields with the missing quotes, and shows foreign text as text", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.openNewAction(page, hook.id);
  await page.getByLabel("Name", { exact: true }).fill("As text");
  await page.getByLabel("URL", { exact: true }).fill(dashboard.receiver.url("/json"));
  await page.getByLabel("Body", { exact: true }).selectOption("JSON as text");
  await page.getByLabel("JSON", { exact: true }).fill('{"n": ');
  await page.getByRole("button", { name: `Insert {{ data.object["odd name"] }}` }).click();
  await page.keyboard.type("}");
  await expect(page.getByLabel("JSON", { exact: true })).toHaveText(
    '{"n": "{{ data.object[\\"odd name\\"] }}"}',
  );
  await expect(page.getByRole("region", { name: "Request body" })).toHaveText(
    '{ "n": "<b>x</b>" }',
  );
  await page.getByLabel("Method", { exact: true }).selectOption("GET");
  await expect(page.getByText("A GET request has no body.")).toBeVisible();
});

test("an address that isn't allowed is rejected, and nothing is saved", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.openNewAction(page, hook.id);
  await page.getByLabel("Name", { exact: true }).fill("Metadata");
  await page.getByLabel("URL", { exact: true }).fill("http://169.254.169.254/latest/meta-data");
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page.getByLabel("URL", { exact: true })).toHaveAccessibleDescription(
    /CATCHMENT_EGRESS_ALLOW/,
  );
});

test("names are completed while typing, dragged, and inserted by keyboard; a missing one gets a default", {
  tag: "@variant",
}, async ({ page }) => {
  // Both the source and the target of the drag must be visible.
  await page.setViewportSize({ width: 1280, height: 1600 });
  await dashboard.openNewAction(page, hook.id);
  const url = page.getByLabel("URL", { exact: true });
  await url.fill(dashboard.receiver.url("/c/"));
  await url.press("End");
  await page.keyboard.type("{{ customer_e");
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await expect(
    list.getByRole("option", { name: /data\.object\.customer_email.*ada@example\.com/ }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(list).toHaveCount(0);
  for (let moved = 0; moved < 3; moved += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(" | upc");
  await expect(list.getByRole("option", { name: /^upcase/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(url).toHaveText(
    dashboard.receiver.url("/c/{{ data.object.customer_email | upcase }}"),
  );

  const value = page.getByLabel("Field 1, value");
  await page.getByLabel("Field 1, name").fill("amount");
  await page.getByRole("treeitem", { name: /^amount_total/ }).dragTo(value);
  await expect(value).toHaveText("{{ data.object.amount_total }}");

  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByLabel("Field 2, name").fill("nick");
  await page.getByLabel("Field 2, value").fill("{{ data.nick }}");
  await page.getByRole("button", { name: "Use a default" }).click();
  await expect(page.getByLabel("Field 2, value")).toHaveText('{{ data.nick | default: "" }}');

  await page.getByLabel("Body", { exact: true }).selectOption("JSON as text");
  const json = page.getByLabel("JSON", { exact: true });
  await expect(json).toHaveText(/"amount": "\{\{ data\.object\.amount_total \}\}"/);
  await json.fill('{\n  "a": 1,\n}');
  await expect(json).toHaveAccessibleDescription(/line 3, column 1: remove the comma before }/);
  await json.fill('{ "path": ');
  await page.getByRole("searchbox", { name: "Search in fields of the delivery" }).fill("amount");
  await page.keyboard.press("ArrowDown");
  // The last row is the raw body, which contains the word too.
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(json).toHaveText('{ "path": "{{ data.object.amount_total }}"');
});

test("a filter shows at once what it matches; retries are described; Ctrl+S saves; nothing typed is lost", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.openNewAction(page, hook.id);
  await page.getByRole("button", { name: "Paste curl" }).click();
  await page
    .getByLabel("Command", { exact: true })
    .fill(
      `curl -X PUT '${dashboard.receiver.url("/pasted")}' -H ` +
        `'Authorization: Bearer tok_1234567' --json '{"a": [1.10]}'`,
    );
  await page.getByRole("button", { name: "Fill in" }).click();
  await expect(page.getByLabel("Method", { exact: true })).toHaveValue("PUT");
  await expect(page.getByLabel("Authentication")).toHaveValue("bearer");
  await page.getByLabel("Name", { exact: true }).fill("Pasted");
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByLabel("Condition 1, name").fill("data.object.amount_total");
  await page.getByLabel("Condition 1, comparison").selectOption("is greater than");
  await page.getByLabel("Condition 1, value").fill("9000");
  await expect(
    page.getByText(/Would not run for the chosen delivery: data.object.amount_total is 4200/),
  ).toBeVisible();
  await expect(page.getByText(/Would run for 0 of the last \d+/)).toBeVisible();
  await page.getByLabel("Condition 1, value").fill("42");
  await expect(page.getByText("Would run for the chosen delivery.")).toBeVisible();
  await page.getByText("When it fails").click();
  await page.getByLabel("Attempts", { exact: true }).fill("3");
  await expect(
    page.getByText("Failed requests are retried: 3 attempts over about 35 seconds."),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Shop" }).click();
  await page.getByRole("link", { name: /^Draft · edited/ }).click();
  await expect(page.getByText(/^Draft saved \d/)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page).toHaveURL(/\/actions\/[0-9a-f-]+(\?|$)/);
  await expect(page.getByLabel("Condition 1, value")).toHaveValue("42");
  const { data } = (await dashboard.api("GET", `/hooks/${hook.id}/actions`)) as { data: unknown[] };
  expect(data).toMatchObject([
    {
      name: "Pasted",
      filter: { all: [{ path: "data.object.amount_total", op: "gt", value: 42 }] },
      retry: { maxAttempts: 3 },
      request: { method: "PUT", body: { a: [1.1] }, auth: { type: "bearer" } },
    },
  ]);
  await page.getByRole("link", { name: "Shop" }).click();
  await expect(page.getByRole("link", { name: "Pasted", exact: true })).toBeVisible();
});

test("a test call is live, once, after a confirmation; its response is shown without secrets", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.openNewAction(page, hook.id);
  await page.getByLabel("URL", { exact: true }).fill(dashboard.receiver.url("/try/{{ id }}"));
  await page.getByLabel("Authentication").selectOption("Bearer token");
  await page.getByLabel("Token", { exact: true }).fill("secret-token-of-a-test");
  dashboard.receiver.respondWith(422, '{"got": "secret-token-of-a-test", "html": "<b>no</b>"}');
  const before = dashboard.receiver.calls.length;
  await page.getByRole("button", { name: "Send request" }).click();
  expect(dashboard.receiver.calls.length).toBe(before);
  await page.getByRole("button", { name: "Send POST request" }).click();
  await expect(page.getByText("HTTP 422")).toBeVisible();
  await expect(page.getByRole("region", { name: "Response body" })).toHaveText(
    '{"got": "[redacted]", "html": "<b>no</b>"}',
  );
  expect(dashboard.receiver.calls.length).toBe(before + 1);
  const call = dashboard.receiver.calls.at(-1);
  expect(call?.path).toMatch(/^\/try\/evt_map_\d$/);
  expect(call?.headers["idempotency-key"]).toMatch(/^test_/);
  expect(call?.headers.authorization).toBe("Bearer secret-token-of-a-test");
  const { data } = await dashboard.api("GET", "/runs?limit=200");
  expect((data as { status: string }[]).filter(({ status }) => status !== "succeeded")).toEqual([]);
  dashboard.receiver.respondWith(200, '{"saved":true}');
  await expectAccessible(page);
});
