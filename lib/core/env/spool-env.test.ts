import { expect, test } from "vitest";
import { z } from "zod";
import { spoolVariables, toSpoolEnv } from "./spool-env.ts";

function read(CATCHMENT_SPOOL_URL: string) {
  const parsed = z.object(spoolVariables).safeParse({ CATCHMENT_SPOOL_URL });
  return parsed.success ? toSpoolEnv(parsed.data)?.folder : parsed.error.issues[0]?.message;
}

test.each([
  ["file:///var/lib/catchment/spool", "/var/lib/catchment/spool"],
  ["file:///data/a%20spool", "/data/a spool"],
])("%s is the folder %s", (url, folder) => expect(read(url)).toBe(folder));

test.each([
  "/var/lib/spool",
  "file://spool",
  "file:///",
  "file:///a%2Fb",
  "file:///a%",
  "file:///a%ff",
  "file:///a?b=c",
  "https://example.com/spool",
])("%s is rejected, with an example", (url) =>
  expect(read(url)).toBe("must be a folder, like file:///var/lib/catchment/spool"),
);

test.each(["amqp://localhost", "amqps://user:secret@broker.example/vhost"])(
  "%s is rejected, and its password isn't repeated",
  (url) => expect(read(url)).toMatch(/message brokers aren't supported$/),
);

test("without the URL, there is none", () =>
  expect(toSpoolEnv(z.object(spoolVariables).parse({}))).toBeUndefined());
