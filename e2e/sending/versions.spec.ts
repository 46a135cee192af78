import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { makePortalLink } from "../harness/make-portal-link.ts";
import { waitUntil } from "../harness/wait-until.ts";

/** From a breaking version of an event type to a customer that moves to it. */
let dashboard: Dashboard;
let link: string;
let subscriptionId: string;

const path = "/event-types/invoice.paid";
const of = (type: string) =>
  JSON.stringify({ type: "object", properties: { amount: { type } }, required: ["amount"] });

test.beforeAll(async () => {
  dashboard = await startDashboard("versions");
  const { api, receiver, server, account } = dashboard;
  await api("PUT", path, { schema: JSON.parse(of("string")), example: { amount: "42.00" } });
  const { id } = await api("POST", "/subscriptions", {
    receiverUrl: receiver.url("/in"),
    recipient: "cust_42",
    eventTypes: ["invoice.*"],
  });
  subscriptionId = String(id);
  link = await makePortalLink({
    databaseUrl: server.databaseUrl(),
    slug: account.slug,
    recipient: "cust_42",
    origins: [],
  });
});
test.afterAll(() => dashboard?.stop());

/** What the receiver gets of an event. */
async function publish(amount: number): Promise<object> {
  const { api, receiver } = dashboard;
  const { id } = await api("POST", "/events", {
    ...{ type: "invoice.paid", recipient: "cust_42", data: { amount } },
  });
  const call = await waitUntil("the event to be sent", 60_000, async () =>
    receiver.calls.find(({ body }) => body.includes(String(id))),
  );
  const { version, data } = JSON.parse(call.body) as { version?: string; data: object };
  return { version, data };
}

async function fillCode(page: Page, label: string | RegExp, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: label });
  await field.fill(text);
}

test("a breaking version is refused without a transform, and a customer moves to it in the portal", async ({
  page,
}) => {
  await dashboard.open(page, path);
  await expect(page.getByRole("listitem").filter({ hasText: "1 subscription" })).toBeVisible();
  await page.getByRole("link", { name: "New version" }).click();
  await page.getByLabel("Version", { exact: true }).fill("2026-02-01");
  await page.getByLabel("What has changed").fill("`amount` is a number.");
  await fillCode(page, "Example", '{ "amount": 42 }');
  await fillCode(page, "Schema", of("number"));
  await page.getByRole("button", { name: "Publish version" }).click();
  await expect(page.getByText(/receivers of version first would break/)).toBeVisible();

  const transform = "export default ({ payload }) => ({ amount: String(payload.data.amount) })";
  await fillCode(page, /^Transform/, transform);
  await page.getByRole("button", { name: "Check" }).click();
  const check = page.getByRole("region", { name: "Check" });
  await expect(check).toContainText("It can be published.");
  await expect(check).toContainText("data.amount may be number, and was string");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Publish version" }).click();
  await expect(page.getByText("2026-02-01")).toBeVisible();
  expect(await publish(12)).toEqual({ version: undefined, data: { amount: "12" } });

  const portal = `${dashboard.server.origin}${link}`;
  await page.goto(`${portal}/event-types/invoice.paid?version=first`);
  await expect(page.getByLabel("Example of invoice.paid", { exact: true })).toContainText("42.00");
  await page.goto(`${portal}/subscriptions/${subscriptionId}`);
  await expect(page.getByText("1 newer version")).toBeVisible();
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.locator("summary", { hasText: "Stays with version first" }).click();
  await page.getByLabel("Version", { exact: true }).selectOption("2026-02-01");
  const changes = page.getByText("What changes for this subscription").locator("..");
  await expect(changes).toContainText("amount is a number.");
  await expect(changes).toContainText("data.amount may be number, and was string");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText(/^Saved\./)).toBeVisible();
  const [own] = (await dashboard.api("GET", "/events?limit=1")).data as { id: string }[];
  expect(await publish(13)).toEqual({ version: "2026-02-01", data: { amount: 13 } });

  await dashboard.open(page, `/events/${own?.id}`);
  await expect(page.getByText("Version first")).toBeVisible();
  await dashboard.open(page, `${path}/versions/first`);
  await page.getByLabel(/^Ends/).fill("2030-01-01T00:00");
  await page.getByRole("button", { name: "Save version" }).click();
  await expect(page.getByText("2030-01-01").first()).toBeVisible();
  await expectAccessible(page);
});
