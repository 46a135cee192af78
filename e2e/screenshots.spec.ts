import { mkdirSync } from "node:fs";
import { type BrowserContext, expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";
import { listPages } from "./harness/pages.ts";
import { type SeededShop, seedShop } from "./harness/seed-shop.ts";

/** Git ignores it. */
const folder = "screenshots";
const widths = [1280, 390];
const themes = ["light", "dark"] as const;

let dashboard: Dashboard;
let shop: SeededShop;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  mkdirSync(folder, { recursive: true });
  dashboard = await startDashboard("acme");
  shop = await seedShop(dashboard);
});
test.afterAll(async () => await dashboard?.stop());

for (const theme of themes) {
  for (const width of widths) {
    test(`every page in ${theme}, ${width} pixels wide: nothing for axe, no error, nothing wider than the screen`, async ({
      browser,
    }) => {
      test.setTimeout(180_000);
      const context = await browser.newContext({
        colorScheme: theme,
        viewport: { width, height: width > 600 ? 800 : 844 },
      });
      const problems = await takePictures(context, `${theme}-${width}`);
      expect(problems).toEqual([]);
      await context.close();
    });
  }
}

async function takePictures(context: BrowserContext, suffix: string): Promise<string[]> {
  const problems: string[] = [];
  const page = await context.newPage();
  for (const [name, path] of Object.entries(listPages(shop))) {
    const onMessage = (text: string) => problems.push(`${name}: ${text}`);
    page.on("pageerror", (error) => onMessage(error.message));
    page.on("console", (message) => {
      if (message.type() !== "error") return;
      // A page that isn't there says so with its status too.
      if (!/status of 404/.test(message.text())) onMessage(message.text());
    });
    await dashboard.open(page, path);
    // The editor works its preview out once it is there.
    await expect(page.getByText("Working it out…")).toHaveCount(0);
    await expectAccessible(page);
    await page.screenshot({ path: `${folder}/${name}-${suffix}.png`, fullPage: true });
    const overhang = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overhang > 0) onMessage(`${overhang} pixels wider than the screen`);
    page.removeAllListeners();
  }
  return problems;
}
