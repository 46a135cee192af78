import type { Page } from "@playwright/test";

/**
 * Typical interactions of any page, as far as it has them: move with Tab, type into the first
 * field, open a branch of a tree or another tab, open the palette, type, and close it.
 *
 * @returns the slowest of these, from the event to the next paint in milliseconds, by the browser's
 * Event Timing (8 ms resolution)
 */
export async function measureInteractions(page: Page): Promise<number> {
  await untilReady(page);
  await page.evaluate(watchInteractions);
  for (let n = 0; n < 5; n += 1) await page.keyboard.press("Tab");
  const field = page
    .locator("main input:is([type=text], [type=search], :not([type])):enabled")
    .first();
  if (await field.isVisible()) {
    await field.focus();
    await page.keyboard.type("payload", { delay: 30 });
  }
  const part = page
    .locator('main :is([role=treeitem][aria-expanded], [role=tab][aria-selected="false"])')
    .first();
  if (await part.isVisible()) await part.click({ position: { x: 5, y: 5 } });
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("pay", { delay: 30 });
  await page.keyboard.press("Escape");
  return await page.evaluate(readSlowest);
}

/** Waits until the page reacts to keys. */
async function untilReady(page: Page): Promise<void> {
  const palette = page.getByRole("dialog");
  while (!(await palette.isVisible())) {
    await page.keyboard.press("Control+k");
    await palette.waitFor({ timeout: 500 }).catch(() => {});
  }
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "hidden" });
}

type Watching = typeof globalThis & { slowestInteraction?: number };

function watchInteractions(): void {
  const watching: Watching = globalThis;
  watching.slowestInteraction = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const isInteraction = "interactionId" in entry && Number(entry.interactionId) > 0;
      if (isInteraction)
        watching.slowestInteraction = Math.max(watching.slowestInteraction ?? 0, entry.duration);
    }
  }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
}

/** Reads the slowest entry. Entries arrive a moment after their paint. */
async function readSlowest(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return (globalThis as Watching).slowestInteraction ?? 0;
}
