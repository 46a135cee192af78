import type { Page } from "@playwright/test";

/**
 * Collects every sign that foreign text was executed, or almost: a call of `xss()`, a dialog, a
 * script or style blocked by the page's policy, an error, or a request to another host. The
 * returned list grows.
 */
export async function watchForScripts(page: Page, origin: string): Promise<readonly string[]> {
  const seen: string[] = [];
  await page.exposeFunction("xss", () => {
    seen.push(`xss() was called on ${page.url()}`);
  });
  page.on("dialog", async (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("pageerror", (error) => seen.push(`an error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 40[04]/.test(message.text()))
      seen.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob|about):/.test(url))
      seen.push(`a request to ${url}`);
  });
  return seen;
}

/**
 * Elements that only foreign text could have created, and links that would run something. The code
 * editor puts empty images beside its widgets, and our own links contain foreign ids and types.
 */
export async function countStrangeElements(page: Page): Promise<number> {
  return await page
    .locator(
      "img:not(.cm-widgetBuffer:not([src])), iframe, object, embed, base, " +
        "video, marquee, math, details[ontoggle], [onerror], [onload], [onfocus], " +
        "a[href^='javascript:' i], [href*='evil.example']:not([href^='/event']), " +
        "[src*='evil.example'], [action*='evil.example']",
    )
    .count();
}
