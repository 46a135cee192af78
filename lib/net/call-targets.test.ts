import { expect, it } from "vitest";
import { CallFailure } from "./call-failure.ts";
import { CallTargets } from "./call-targets.ts";
import { allow } from "./testing/test-calls.ts";

it("reads a URL the same the first time and later", () => {
  const targets = new CallTargets(allow("127.0.0.1"));
  const url = "HTTP://Name.Test.:80/a%20b?x=%2F#fragment";
  const target = { origin: "http://name.test.", path: "/a%20b?x=%2F" };
  expect(targets.read(url)).toMatchObject({ ...target, ownOrigin: "http://name.test:80" });
  expect(targets.read(url)).toBe(targets.read(url));
});

it.each([
  ["http://127.0.0.2/", "blocked"],
  ["http://name.test:5432/", "blocked"],
  ["ftp://name.test/", "invalid_request"],
])("refuses %s every time", (url, code) => {
  const targets = new CallTargets(allow("127.0.0.1"));
  for (let count = 0; count < 2; count += 1) {
    const target = targets.read(url);
    expect(target).toBeInstanceOf(CallFailure);
    expect(target).toMatchObject({ code });
  }
});

it("remembers a limited number of URLs, and no long ones", () => {
  const targets = new CallTargets([]);
  const first = targets.read("http://name.test/");
  for (let count = 0; count < 1_000; count += 1) targets.read(`http://name.test/${count}`);
  expect(targets.read("http://name.test/")).not.toBe(first);
  const long = `http://name.test/${"x".repeat(1_000)}`;
  expect(targets.read(long)).not.toBe(targets.read(long));
});
