import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("multipart");
});
test.afterAll(async () => await dashboard?.stop());

test("a multipart body with a field and a file from an XML delivery is written, previewed, saved, and sent", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Invoices", dedupe: null });
  const pdf = Buffer.from("%PDF-1.7 an invoice");
  const xml = `<order id="7"><pdf>${pdf.toString("base64")}</pdf></order>`;
  await dashboard.deliver(hook.catchUrl, xml, { "content-type": "text/xml" });
  await dashboard.openNewAction(page, hook.id);
  await page.getByLabel("Name", { exact: true }).first().fill("Upload");
  const url = page.getByRole("textbox", { name: "URL", exact: true });
  await url.fill(dashboard.receiver.url("/upload"));
  await page.getByRole("combobox", { name: "Body" }).selectOption("Multipart, with files");
  const first = page.getByRole("group", { name: "Part 1" });
  await first.getByLabel("Name", { exact: true }).fill("order");
  await first.getByLabel("Value", { exact: true }).fill('{{ payload.order["@id"] }}');
  await page.getByRole("button", { name: "Add file" }).click();
  const second = page.getByRole("group", { name: "Part 2" });
  await second.getByLabel("Name", { exact: true }).fill("file");
  await expect(second.getByText(/is required|must not be empty/).first()).toBeHidden();
  await second.getByLabel("File name", { exact: true }).fill("invoice.pdf");
  await second.getByLabel("Base64", { exact: true }).fill("no base64!");
  await second.getByLabel("Content type", { exact: true }).fill("application/pdf");
  await expect(second.getByText(/is not base64/)).toBeVisible();
  await second.getByLabel("Base64", { exact: true }).fill("{{ payload.order.pdf }}");
  await expect(page.getByText("Ready to send", { exact: true })).toBeVisible();
  await expect(page.getByText(/%PDF-1.7 an invoice/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
  await page.reload();
  await expect(second.getByLabel("File name", { exact: true })).toHaveValue("invoice.pdf");
  const before = dashboard.receiver.calls.length;
  await dashboard.deliver(hook.catchUrl, xml.replace("7", "8"), { "content-type": "text/xml" });
  await expect.poll(() => dashboard.receiver.calls.length).toBe(before + 1);
  const call = dashboard.receiver.calls.at(-1);
  const headers = { "content-type": String(call?.headers["content-type"]) };
  const form = await new Response(call?.body, { headers }).formData();
  const file = form.get("file");
  expect([form.get("order"), file instanceof File && (await file.text())]).toEqual([
    "8",
    String(pdf),
  ]);
});
