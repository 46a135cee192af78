import { expect, it } from "vitest";
import { describeUserAgent } from "./describe-user-agent.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

it.each([
  ["Chrome on Linux", `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/140.0.0.0 Safari/537.36`],
  [
    "Edge on Windows",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`,
  ],
  [
    "Firefox on macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:130.0) Gecko/20100101 Firefox/130.0",
  ],
  [
    "Safari on iPhone",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} Version/18.0 Mobile/15E148 Safari/604.1`,
  ],
  [
    "Chrome on Android",
    `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`,
  ],
  ["curl", "curl/8.14.1"],
  ["Unknown browser", ""],
  ["Unknown browser", "(nothing)"],
])("%s is recognized", (words, userAgent) => {
  expect(describeUserAgent(userAgent)).toBe(words);
});

it("deceptive characters in a user agent are made visible", () => {
  expect(describeUserAgent("\u202eevil")).toBe("\\u{202e}evil");
});
