import { expect, test } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { checkLayouts } from "../sign-in/check-layouts.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("audit-receiver");
});
test.afterAll(async () => await dashboard?.stop());

test("an admin sends the audit log to a URL that fails first, and stops it again", {
  tag: "@variant",
}, async ({ page }) => {
  const { receiver } = dashboard;
  receiver.respondWith(503, "not now");
  await dashboard.open(page, "/account/audit");
  await page.getByRole("button", { name: "Send to a URL" }).click();
  const dialog = page.getByRole("dialog");
  const url = dialog.getByLabel("Receiver URL");
  await url.fill("https://");
  await dialog.getByRole("button", { name: "Start sending" }).click();
  await expect(url).toBeFocused();
  await checkLayouts(page, "audit-receiver-form");
  await url.fill(receiver.url("/siem"));
  await dialog.getByRole("button", { name: "Start sending" }).click();
  const secret = (await dialog.getByTestId("signing-secret").textContent()) ?? "";
  await checkLayouts(page, "audit-receiver-secret");
  await dialog.getByRole("button", { name: "Done" }).click();
  const card = page.getByRole("region", { name: "Receiver" });
  // The page follows what is sent without a reload.
  await expect(card).toContainText("1 entry waits. The receiver responded with 503.");
  await checkLayouts(page, "audit-receiver-failing");

  receiver.respondWith(200, "ok");
  await page.getByRole("button", { name: "Edit receiver" }).click();
  await dialog.getByRole("button", { name: "Save receiver" }).click();
  await expect(card).toContainText("Everything up to number 3 is sent");
  await checkLayouts(page, "audit-receiver-sent");
  const webhook = new Webhook(secret);
  const sent = receiver.calls.map(({ body, headers }) => {
    const event = webhook.verify(body, headers as Record<string, string>);
    return (event as { data: { event: string } }).data.event;
  });
  expect([...new Set(sent)]).toEqual(["audit.receiver.created", "audit.receiver.updated"]);

  await page.getByRole("button", { name: "Rotate secret" }).click();
  await dialog.getByRole("button", { name: "Rotate secret" }).click();
  const next = (await dialog.getByTestId("signing-secret").textContent()) ?? "";
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(card).toContainText("Everything up to number 4 is sent");
  const last = receiver.calls.at(-1);
  new Webhook(next).verify(last?.body ?? "", last?.headers as Record<string, string>);

  await card.getByRole("button", { name: "Stop sending" }).click();
  await dialog.getByRole("button", { name: "Stop sending" }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Send to a URL" })).toBeVisible();
});
