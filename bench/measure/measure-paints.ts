import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { findChromium } from "../../scripts/setup/find-chromium.mjs";
import { measureInteractions } from "./measure-interactions.ts";

type Options = {
  readonly origin: string;
  /** The cookie of a session. */
  readonly cookie: string;
  /** Name and path. */
  readonly pages: readonly (readonly [string, string])[];
};

export type MeasuredPaint = {
  readonly page: string;
  /** The median of five in Chromium. */
  readonly firstPaintMs: number;
  /** The slowest of the usual interactions, from the event to the next paint, median of five. */
  readonly interactionMs: number;
  /** Compressed size of the scripts that the page references. */
  readonly scriptBytes: number;
};

const paints = 5;

/** Measures one page after the other, in a browser. */
export async function measurePaints(options: Options): Promise<MeasuredPaint[]> {
  const { origin, cookie, pages } = options;
  const found = await findChromium();
  const browser = await chromium.launch({
    ...(found?.kind === "system" ? { executablePath: found.path } : {}),
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"],
  });
  try {
    const context = await browser.newContext();
    await context.addCookies(
      cookie.split("; ").map((pair) => ({
        name: pair.slice(0, pair.indexOf("=")),
        value: pair.slice(pair.indexOf("=") + 1),
        url: origin,
      })),
    );
    const measured: MeasuredPaint[] = [];
    for (const [page, path] of pages) {
      const paintTimes: number[] = [];
      const interactionTimes: number[] = [];
      for (let n = 0; n < paints; n += 1) {
        const tab = await context.newPage();
        await tab.goto(origin + path);
        paintTimes.push(await tab.evaluate(readFirstPaint));
        interactionTimes.push(await measureInteractions(tab));
        await tab.close();
      }
      measured.push({
        page,
        firstPaintMs: median(paintTimes),
        interactionMs: median(interactionTimes),
        scriptBytes: await measureScripts(origin + path, options),
      });
    }
    return measured;
  } finally {
    await browser.close();
  }
}

async function readFirstPaint(): Promise<number> {
  const [entry] = performance.getEntriesByName("first-contentful-paint");
  if (entry !== undefined) return entry.startTime;
  return await new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const found = list.getEntriesByName("first-contentful-paint")[0];
      if (found !== undefined) resolve(found.startTime);
    });
    observer.observe({ type: "paint", buffered: true });
  });
}

async function measureScripts(url: string, { origin, cookie }: Options): Promise<number> {
  const html = await (await fetch(url, { headers: { cookie } })).text();
  const scripts = new Set(
    Array.from(html.matchAll(/<script[^>]* src="([^"]+)"/g), ([, src = ""]) => src),
  );
  let bytes = 0;
  for (const src of scripts) bytes += await measureCompressed(new URL(src, origin));
  return bytes;
}

/**
 * The size as transferred. `fetch` itself would decompress the response, so it is compressed again.
 */
async function measureCompressed(url: URL): Promise<number> {
  const response = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  return gzipSync(Buffer.from(await response.arrayBuffer()), { level: 6 }).byteLength;
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
