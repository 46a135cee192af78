import type { Locator, Page } from "@playwright/test";

/** Exports what is selected as CSV, and reads the file. Returns its lines, with the header. */
export async function downloadCsv(page: Page, bar: Locator): Promise<readonly string[]> {
  const download = page.waitForEvent("download");
  await bar.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  const file = await (await download).createReadStream();
  const text = Buffer.concat(await file.toArray()).toString();
  return text.trimEnd().split("\r\n");
}
