import { expect, test } from "vitest";
import { parseEnv } from "./parse-env.ts";

function read(CATCHMENT_SPOOL_URL: string) {
  const result = parseEnv({ CATCHMENT_SPOOL_URL, CATCHMENT_DATA_DIR: "/data" });
  return result.ok ? result.env.spool : result.problems[0]?.message;
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

test("without the URL, there is none", () => expect(read("")).toBeUndefined());
