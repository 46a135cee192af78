/**
 * A busy dashboard in its own process: `browse.ts <clients> <cookie> <url>…` loads the pages in
 * turns until it is stopped.
 */
const [clients = "4", cookie = "", ...urls] = process.argv.slice(2);
let pages = 0;
let failures = 0;
let isStopping = false;

async function browse(_: unknown, first: number): Promise<void> {
  for (let next = first; !isStopping; next += 1) {
    try {
      const url = urls[next % urls.length] ?? "";
      const response = await fetch(url, {
        headers: { cookie },
        redirect: "manual",
        signal: AbortSignal.timeout(30_000),
      });
      await response.arrayBuffer();
      if (response.status === 200) pages += 1;
      else failures += 1;
    } catch {
      failures += 1;
    }
  }
}

export {};

process.on("disconnect", () => process.exit(0));
process.on("message", () => {
  isStopping = true;
});
await Promise.all(Array.from({ length: Number(clients) }, browse));
process.send?.({ pages, failures });
process.disconnect?.();
