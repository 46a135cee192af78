import { expect, type Locator, type Page } from "@playwright/test";

/** A person at the page: every press of the mouse is counted, and the time from the first one. */
export type Hand = {
  readonly clicks: () => number;
  readonly seconds: () => number;
  click(target: Locator): Promise<void>;
  /** Opens the list and chooses: two clicks. */
  choose(select: Locator, option: string): Promise<void>;
  /** Clicks into a field and pastes. */
  write(field: Locator, text: string): Promise<void>;
  /** Moves to another field and pastes there, with the keyboard only. */
  tabAndWrite(tabs: number, text: string): Promise<void>;
};

export function makeHand(page: Page): Hand {
  let clicks = 0;
  let startedAtMs = 0;
  const press = async (target: Locator) => {
    if (clicks === 0) startedAtMs = Date.now();
    clicks += 1;
    await target.click();
  };
  return {
    clicks: () => clicks,
    seconds: () => Math.round((Date.now() - startedAtMs) / 100) / 10,
    click: press,
    async choose(select, option) {
      await select.selectOption(option);
      clicks += 2;
    },
    async write(field, text) {
      await press(field);
      await field.fill(text);
    },
    async tabAndWrite(tabs, text) {
      for (let left = tabs; left > 0; left -= 1) await page.keyboard.press("Tab");
      await page.keyboard.insertText(text);
    },
  };
}

/** Prints what a task took, and expects at most so many clicks. */
export function reportTask(task: string, hand: Hand, maxClicks: number): void {
  process.stdout.write(`  task: ${task}: ${hand.clicks()} clicks, ${hand.seconds()} s\n`);
  expect(hand.clicks()).toBeLessThanOrEqual(maxClicks);
}

/** Chooses a command in the menu of a row or page, by its name: "More for Orders". */
export async function chooseInMenu(page: Page, name: string, command: string): Promise<void> {
  await page.getByRole("button", { name: `More for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: command }).click();
}
