import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { waitUntil } from "../harness/wait-until.ts";

/** From a transform in the form of a subscription to what its receiver gets. */
let dashboard: Dashboard;
let subscriptionId: string;

test.beforeAll(async () => {
  dashboard = await startDashboard("transforms");
  const { api, receiver } = dashboard;
  await api("PUT", "/event-types/invoice.paid", { example: { amount: 42 } });
  const { id } = await api("POST", "/subscriptions", {
    ...{ receiverUrl: receiver.url("/in"), eventTypes: ["invoice.*"] },
  });
  subscriptionId = String(id);
});
test.afterAll(() => dashboard?.stop());

const publish = async (data: object) =>
  String((await dashboard.api("POST", "/events", { type: "invoice.paid", data })).id);

async function untilEnded(eventId: string): Promise<string> {
  return await waitUntil("the send to end", 60_000, async () => {
    const { data } = await dashboard.api("GET", `/runs?eventId=${eventId}`);
    const [run] = data as { status: string; finishedAt: string | null }[];
    return run?.finishedAt == null ? undefined : run.status;
  });
}

const fillCode = (page: Page, code: string) =>
  page.getByRole("textbox", { name: "Code", exact: true }).fill(code);

test("a transform is previewed and checked before it is saved, and a failed send goes out afterwards", async ({
  page,
}) => {
  await dashboard.open(page, `/subscriptions/${subscriptionId}/settings`);
  await page.locator("summary", { hasText: "Events are sent as they are." }).click();
  await fillCode(
    page,
    "export default ({ payload }) => ({ text: payload.data.amount.toFixed(2) })",
  );
  await expect(page.getByRole("region", { name: "What is sent" })).toContainText("42.00");
  await expect(page.getByLabel("Preview")).toContainText("Example of invoice.paid");

  const eventId = await publish({ amount: "a word" });
  await untilEnded(eventId);
  await fillCode(
    page,
    "export default ({ payload }) => ({\n  text: payload.data.amount.toFixed(2),\n})",
  );
  await expect(page.getByText(/Code line 2, column \d+: TypeError/)).toBeVisible();
  await page.getByRole("button", { name: "Check on stored events" }).click();
  const check = page.getByRole("region", { name: "Check", exact: true });
  await expect(check).toContainText("It fails for the only stored event.");
  await expect(check.getByRole("link", { name: eventId })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save subscription" }).click();
  await expect(page.getByText(/^Saved\./)).toBeVisible();

  const next = await publish({ amount: "another word" });
  expect(await untilEnded(next)).toBe("failed");
  await dashboard.open(page, `/events/${next}`);
  await expect(page.getByText(/The transform failed in line 2/).first()).toBeVisible();
  await dashboard.open(page, `/subscriptions/${subscriptionId}/settings`);
  await page.locator("summary", { hasText: "JavaScript makes the body" }).click();
  await fillCode(page, "export default ({ payload }) => ({ text: String(payload.data.amount) })");
  await expect(page.getByRole("region", { name: "What is sent" })).toContainText("another word");
  await page.getByRole("button", { name: "Check on stored events" }).click();
  await expect(page.getByText("It works for all of the newest 2 stored events.")).toBeVisible();
  await page.getByRole("button", { name: "Save subscription" }).click();
  await expect(page.getByText(/^Saved\./)).toBeVisible();

  await dashboard.open(page, `/events/${next}`);
  await page.getByRole("button", { name: /^Resend to/ }).click();
  const body = '{"text":"another word"}';
  await waitUntil("the corrected send", 60_000, async () =>
    dashboard.receiver.calls.find((call) => call.body === body),
  );
  await dashboard.open(page, `/subscriptions/${subscriptionId}`);
  await expect(page.getByText("Makes the body that is sent")).toBeVisible();
  await expectAccessible(page);
});
