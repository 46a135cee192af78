/**
 * A busy dashboard in its own process: `browse.ts <url> <clients> <cookie>` loads one page in a
 * loop until it is stopped.
 */
const [url = "", clients = "4", cookie = ""] = process.argv.slice(2);
let pages = 0;
let failures = 0;
let isStopping = false;

async function browse(): Promise<void> {
  while (!isStopping) {
    try {
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
