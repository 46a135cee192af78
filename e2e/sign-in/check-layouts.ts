import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "../harness/dashboard.ts";

const wide = { width: 1280, height: 800 };
const narrow = { width: 390, height: 844 };

/** Expects that a page is as wide as the screen and accessible, and takes its pictures. Ends wide and light. */
export async function checkLayouts(page: Page, name: string): Promise<void> {
  for (const [size, theme] of [
    [narrow, "light"],
    [narrow, "dark"],
    [wide, "dark"],
    [wide, "light"],
  ] as const) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveClass(new RegExp(`\\b${theme}\\b`));
    // A narrow dark page doesn't differ for axe, nor a wide light one.
    if ((size === wide) === (theme === "dark")) await expectAccessible(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(size.width);
    await page.screenshot({
      path: `screenshots/${name}-${theme}-${size.width}.png`,
      fullPage: true,
    });
  }
}
