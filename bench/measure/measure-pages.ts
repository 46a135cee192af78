import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { findChromium } from "../../scripts/setup/find-chromium.mjs";
import { measureInteractions } from "./measure-interactions.ts";

type Options = {
  readonly origin: string;
  /** Of a session. */
  readonly cookie: string;
  /** Name and path. */
  readonly pages: readonly (readonly [string, string])[];
  readonly rounds: number;
  readonly say: (line: string) => void;
};

export type MeasuredPage = {
  readonly page: string;
  /** Until the complete response, in milliseconds. */
  readonly serverP50Ms: number;
  readonly serverP95Ms: number;
  readonly htmlBytes: number;
  /** Compressed size of the scripts that the page references. */
  readonly firstLoadScriptBytes: number;
  /** In Chromium, the median of five. */
  readonly firstPaintMs: number;
  /** The slowest of the usual interactions, from the event to the next paint, median of five. */
  readonly interactionMs: number;
};

const paints = 5;

/** One page after the other, one request at a time. */
export async function measurePages(options: Options): Promise<MeasuredPage[]> {
  const found = await findChromium();
  const browser = await chromium.launch({
    ...(found?.kind === "system" ? { executablePath: found.path } : {}),
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"],
  });
  try {
    const context = await browser.newContext();
    await context.addCookies(
      options.cookie.split("; ").map((pair) => ({
        name: pair.slice(0, pair.indexOf("=")),
        value: pair.slice(pair.indexOf("=") + 1),
        url: options.origin,
      })),
    );
    const measured: MeasuredPage[] = [];
    for (const [page, path] of options.pages) {
      const url = options.origin + path;
      const paintTimes: number[] = [];
      const interactionTimes: number[] = [];
      for (let n = 0; n < paints; n += 1) {
        const tab = await context.newPage();
        await tab.goto(url);
        paintTimes.push(await tab.evaluate(readFirstPaint));
        interactionTimes.push(await measureInteractions(tab));
        await tab.close();
      }
      measured.push({
        page,
        ...(await measureAnswers(url, options)),
        firstPaintMs: at(paintTimes, 0.5),
        interactionMs: at(interactionTimes, 0.5),
      });
      options.say(JSON.stringify(measured.at(-1)));
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

async function measureAnswers(url: string, { origin, cookie, rounds }: Options) {
  const times: number[] = [];
  let html = "";
  for (let n = 0; n < rounds + 5; n += 1) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { cookie }, redirect: "manual" });
    html = await response.text();
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    // The first ones find cold caches.
    if (n >= 5) times.push(performance.now() - startedAt);
  }
  const scripts = new Set(
    Array.from(html.matchAll(/<script[^>]* src="([^"]+)"/g), ([, src = ""]) => src),
  );
  let bytes = 0;
  for (const src of scripts) bytes += await measureCompressed(new URL(src, origin));
  return {
    serverP50Ms: at(times, 0.5),
    serverP95Ms: at(times, 0.95),
    htmlBytes: html.length,
    firstLoadScriptBytes: bytes,
  };
}

/** As transferred: `fetch` itself would decompress it, so it is compressed again. */
async function measureCompressed(url: URL): Promise<number> {
  const response = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  return gzipSync(Buffer.from(await response.arrayBuffer()), { level: 6 }).byteLength;
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return (
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) * 10) /
    10
  );
}
