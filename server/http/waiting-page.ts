import { createHash } from "node:crypto";

const style = `
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1.5rem;
  font: 1rem/1.6 system-ui, sans-serif }
main { max-width: 26rem }
h1 { font-size: 1.25rem; margin: 0 0 .5rem }
p { margin: 0; opacity: .75 }
`;
const styleHash = createHash("sha256").update(style).digest("base64");

/** The headers of the page, which loads nothing and runs nothing. */
export const waitingPageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`,
  "cache-control": "no-store",
};

/**
 * The page that a browser gets while there is no dashboard. It loads again by itself.
 *
 * @param title and `text` are our own words: they aren't escaped
 */
export function waitingPage(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<title>${title} · Catchment</title>
<style>${style}</style>
<main>
<h1>${title}</h1>
<p>${text} This page loads again by itself.</p>
</main>
</html>
`;
}
