import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("multipart");
});
test.afterAll(async () => await dashboard?.stop());

const image = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff);
const order = (id: string) =>
  JSON.stringify({
    id,
    type: "order.paid",
    data: { note: 'say "hi"\nX: 1', image: image.toString("base64") },
  });

/** Fills a field of one part, whose fields have the names of those of other parts. */
async function fill(page: Page, part: number, label: string, text: string): Promise<void> {
  const group = page.getByRole("group", { name: `Part ${part}`, exact: true });
  await group.getByRole("textbox", { name: label, exact: true }).fill(text);
}

test("a multipart body with a field and a file is written, previewed, saved, sent, and shown", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Invoices" });
  await dashboard.deliver(hook.catchUrl, order("evt_1"));
  await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
  await page.getByLabel("Name", { exact: true }).first().fill("Upload");
  const url = page.getByRole("textbox", { name: "URL", exact: true });
  await url.fill(dashboard.receiver.url("/upload"));
  await page.getByRole("combobox", { name: "Body" }).selectOption("Multipart, with files");
  await fill(page, 1, "Name", "note");
  await fill(page, 1, "Value", "{{ data.note }}");
  await page.getByRole("button", { name: "Add file" }).click();
  await fill(page, 2, "Name", "scan");
  await fill(page, 2, "File name", "{{ id }}.png");
  await fill(page, 2, "Base64", "no base64!");
  await expect(page.getByText(/is not base64/).first()).toBeVisible();
  await fill(page, 2, "Base64", "{{ data.image }}");
  await fill(page, 2, "Content type", "image/png");
  await page.getByRole("button", { name: "Add file" }).click();
  const third = page.getByRole("combobox", { name: "Part 3, kind" });
  await third.selectOption("Original body as a file");
  await fill(page, 3, "Name", "source");
  await fill(page, 3, "File name", "event.json");
  await expect(page.getByText("Ready to send", { exact: true })).toBeVisible();
  await expect(page.getByText(/filename="evt_1\.png"[\s\S]*\[binary, 10 bytes\]/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
  await expect(page).toHaveURL(/\/actions\/[0-9a-f-]{36}/);
  await page.reload();
  const stored = page.getByRole("group", { name: "Part 2", exact: true });
  await expect(stored.getByRole("textbox", { name: "File name" })).toHaveText("{{ id }}.png");

  await dashboard.deliver(hook.catchUrl, order("evt_2"));
  const uploads = () => dashboard.receiver.calls.filter(({ path }) => path === "/upload");
  await expect.poll(() => uploads().length).toBe(1);
  const [call] = uploads();
  const headers = { "content-type": String(call?.headers["content-type"]) };
  const form = await new Response(Uint8Array.from(call?.bytes ?? []), { headers }).formData();
  expect([...form.keys()]).toEqual(["note", "scan", "source"]);
  const [scan, source] = [form.get("scan"), form.get("source")];
  if (!(scan instanceof File && source instanceof File)) throw new Error("a file is missing");
  expect([form.get("note"), scan.name, scan.type]).toEqual([
    'say "hi"\r\nX: 1',
    "evt_2.png",
    "image/png",
  ]);
  expect(Buffer.from(await scan.arrayBuffer()).equals(image)).toBe(true);
  expect(await source.text()).toBe(order("evt_2"));

  // The attempt says what was sent, and how much of it isn't text.
  const { data } = (await dashboard.api("GET", `/runs?hookId=${hook.id}`)) as { data: Found[] };
  const run = (await dashboard.api("GET", `/runs/${data[0]?.id}`)) as Found;
  expect(run.attempts[0]?.request).toMatchObject({
    bodyBinary: true,
    body: expect.stringMatching(/hi"\r\nX: 1\r\n[\s\S]*image\/png\r\n\r\n\[binary, 10 bytes\]\r\n/),
  });
  await dashboard.open(page, `/deliveries/${run.deliveryId}`);
  await page.getByText("Attempt 1", { exact: true }).click();
  await expect(page.getByRole("region", { name: "Request body" })).toContainText(
    "[binary, 10 bytes]",
  );
  await expect(page.getByText("\ufffd")).toHaveCount(0);
});

type Found = {
  readonly id: string;
  readonly deliveryId: string;
  readonly attempts: readonly { readonly request: unknown }[];
};
