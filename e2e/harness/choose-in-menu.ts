import type { Page } from "@playwright/test";

/** Chooses a command in the menu of a row or page, by its name: "More for Orders". */
export async function chooseInMenu(page: Page, name: string, command: string): Promise<void> {
  await page.getByRole("button", { name: `More for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: command }).click();
}
