import { expect, test } from "vitest";
import { addPath, readTarget } from "./target.ts";

test.each([
  ["http://localhost:3000/webhooks", "http://localhost:3000/webhooks"],
  ["3000", "http://localhost:3000/"],
  ["https://app.localhost/x", "https://app.localhost/x"],
  ["http://[::1]:8080", "http://[::1]:8080/"],
  ["http://127.9.9.9", "http://127.9.9.9/"],
])("%s is a target", (text, url) => {
  expect(readTarget(text, false).href).toBe(url);
});

test.each([
  "http://example.com",
  "http://localhost.example.com",
  "http://127.example.com",
  "ftp://localhost",
  "localhost:3000",
  "webhooks",
])("%s isn't one", (text) => {
  expect(() => readTarget(text, false)).toThrow(/isn't (?:this machine|a URL with http)/);
});

test("another machine can be asked for", () => {
  expect(readTarget("http://example.com", true).href).toBe("http://example.com/");
});

test.each([
  ["http://localhost/hooks", "", "http://localhost/hooks"],
  ["http://localhost/hooks", "?a=1&b=%2F", "http://localhost/hooks?a=1&b=%2F"],
  ["http://localhost/hooks?token=x", "?a=1", "http://localhost/hooks?token=x&a=1"],
  ["http://localhost/", "/more/path?a", "http://localhost/more/path?a"],
  ["http://localhost/hooks/", "/more", "http://localhost/hooks/more"],
])("%s with %s is %s", (target, path, url) => {
  expect(addPath(new URL(target), path).href).toBe(url);
});
