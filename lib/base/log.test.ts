import { expect, test, vi } from "vitest";
import { formatJson, formatPretty } from "./log.ts";

const noon = Date.UTC(2026, 0, 2, 12, 0, 0, 7);

test("a line is one JSON object with time, level, and event first", () => {
  expect(formatJson(noon, "info", "delivery.caught", { deliveryId: "d1", durationMs: 3 })).toBe(
    '{"time":"2026-01-02T12:00:00.007Z","level":"info","event":"delivery.caught","deliveryId":"d1","durationMs":3}',
  );
});

test.each([
  ["json", formatJson],
  ["pretty", formatPretty],
])("%s: no field can break the line or reach the terminal raw", (_name, format) => {
  const line = format(noon, "warn", "x", { path: '/a\r\n{"level":"info"}\u001b[31mred\u0007' });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  expect(line).not.toMatch(/[\u0000-\u001f]/);
});

test("pretty: C1 control characters are left out", () => {
  expect(formatPretty(noon, "info", "x", { path: "a\u009b31mb" })).toContain("a31mb");
});

test("pretty: simple values have no quotes, and the time is the machine's", () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  const line = formatPretty(noon, "warn", "run.attempted", {
    host: "crm.test:443",
    note: "a b",
    n: 2,
  });
  vi.unstubAllEnvs();
  expect(line).toBe('21:00:00.007 ! run.attempted          host=crm.test:443 note="a b" n=2');
});

test("pretty: an error is written below its line, where it can't look like another line", () => {
  const error = new Error("broken\n12:00:00.000   forged\u001b[31m");
  error.stack = `Error: ${error.message}`;
  expect(formatPretty(noon, "error", "x", { error, n: 1 }).split("\n").slice(1)).toEqual([
    "    Error: broken",
    "    12:00:00.000   forged[31m",
  ]);
});

test.each([
  "authorization",
  "Proxy-Authorization",
  "cookie",
  "x-api-key",
  "stripe-signature",
  "signingSecret",
  "apiToken",
  "password",
  "body",
])("the value of a field named %s is never written", (name) => {
  expect(formatJson(noon, "info", "x", { [name]: "canary" })).not.toContain("canary");
  expect(formatPretty(noon, "info", "x", { [name]: "canary" })).not.toContain("canary");
});

test("a count whose name only sounds secret is kept", () => {
  expect(JSON.parse(formatJson(noon, "info", "x", { secretCount: 2, bodySize: 5 }))).toMatchObject({
    secretCount: 2,
    bodySize: 5,
  });
});

test("a field can't replace the line's own event", () => {
  expect(JSON.parse(formatJson(noon, "info", "x", { event: "forged" }))).toMatchObject({
    event: "x",
    field_event: "forged",
  });
});

test("an error is written with its stack and its cause, up to a limit", () => {
  const error = new Error("outer", { cause: new Error("inner") });
  const { error: text } = JSON.parse(formatJson(noon, "error", "x", { error })) as {
    error: string;
  };
  expect(text).toContain("outer");
  expect(text).toContain("caused by Error: inner");
  const long = JSON.parse(formatJson(noon, "error", "x", { text: "a".repeat(10_000) })) as {
    text: string;
  };
  expect(long.text.length).toBe(4096);
});
