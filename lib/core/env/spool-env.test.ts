import { expect, test } from "vitest";
import { z } from "zod";
import { spoolVariables, toSpoolEnv } from "./spool-env.ts";

function read(CATCHMENT_SPOOL_URL: string) {
  const parsed = z.object(spoolVariables).safeParse({ CATCHMENT_SPOOL_URL });
  if (!parsed.success) return parsed.error.issues[0]?.message;
  return toSpoolEnv({ ...parsed.data, CATCHMENT_DATA_DIR: "/data" });
}

test.each([
  ["file:///var/lib/catchment/spool", "/var/lib/catchment/spool"],
  ["file:///data/a%20spool", "/data/a spool"],
])("%s is the folder %s", (url, folder) =>
  expect(read(url)).toMatchObject({ folder, broker: undefined }),
);

test.each([
  "/var/lib/spool",
  "file://spool",
  "file:///",
  "file:///a%2Fb",
  "file:///a%",
  "file:///a%ff",
  "file:///a?b=c",
  "https://example.com/spool",
])("%s is rejected, with examples", (url) =>
  expect(read(url)).toMatch(/^must be a folder, like file:.*, or a broker, like amqps:/),
);

test("with a broker, what is kept of hooks is in the data folder", () =>
  expect(read("amqps://u:p@one,two/shop")).toMatchObject({
    folder: "/data/spool",
    broker: { isTls: true, vhost: "shop" },
  }));

test("a wrong URL of a broker is rejected, and its password isn't repeated", () =>
  expect(read("amqps://user:secret@broker.example:x/vhost")).toMatch(/^must be a URL like amqps:/));

test("without the URL, there is none", () =>
  expect(
    toSpoolEnv({ ...z.object(spoolVariables).parse({}), CATCHMENT_DATA_DIR: "/data" }),
  ).toBeUndefined());
