import { describe, expect, test } from "vitest";
import { parseEnv } from "./parse-env.ts";

const from = "Catchment <catchment@example.com>";

function read(SMTP_URL: string, CATCHMENT_MAIL_FROM = from) {
  const result = parseEnv({ SMTP_URL, CATCHMENT_MAIL_FROM });
  return result.ok ? result.env.mail : result.problems;
}

test("a URL gives the server, its port, and its login, and the sender has a name", () => {
  expect(read("smtp://ada%40example.com:p%40ss%2Fword@mail.example.com:2525")).toEqual({
    host: "mail.example.com",
    port: 2525,
    security: "starttls",
    login: { user: "ada@example.com", password: "p@ss/word" },
    from: { name: "Catchment", email: "catchment@example.com" },
  });
});

test.each([
  ["smtps://mail.example.com", "tls", 465],
  ["smtps://127.0.0.1", "tls", 465],
  ["smtp://mail.example.com", "starttls", 587],
  ["smtp://10.0.0.7:25", "starttls", 25],
  ["smtp://mail.example.com:25?tls=off", "none", 25],
  ["smtp://localhost:1025", "none", 1025],
  ["smtp://127.0.0.1:1025/", "none", 1025],
  ["smtp://[::1]:1025", "none", 1025],
  ["smtp://localhost:1025?tls=required", "starttls", 1025],
  ["smtp://localhost.example.com", "starttls", 587],
])("%s means %s", (url, security, port) => {
  expect(read(url)).toMatchObject({ security, port });
});

test.each([
  "mail.acme.test:587",
  "https://mail.example.com",
  "smtp:///",
  "smtp://mail.example.com/path",
  "smtp://user:pa%ss@mail.example.com",
  "smtp://mail.example.com?tls=maybe",
  "smtp://mail.example.com?tls=off&tls=off",
  "smtp://mail.example.com?host=other.example.com",
  "smtps://mail.example.com?tls=off",
])("%s is rejected without repeating it", (url) => {
  expect(read(url)).toEqual([{ variable: "SMTP_URL", message: expect.not.stringContaining(url) }]);
});

describe("the sender", () => {
  test.each([
    ["catchment@example.com", { name: "Catchment", email: "catchment@example.com" }],
    ['"Acme, Inc." <Hooks@Example.com>', { name: "Acme, Inc.", email: "hooks@example.com" }],
    ["Zoë <zoe@example.com>", { name: "Zoë", email: "zoe@example.com" }],
  ])("%s", (text, expected) => {
    expect(read("smtp://localhost", text)).toMatchObject({ from: expected });
  });

  test.each([
    "nobody",
    "A <a@example.com> <b@example.com>",
    "a@example.com, b@example.com",
    "A\r\nBcc: b@example.com <a@example.com>",
  ])("%j is rejected", (text) => {
    expect(read("smtp://localhost", text)).toMatchObject([{ variable: "CATCHMENT_MAIL_FROM" }]);
  });
});

test("a server without a sender, and the reverse, are reported", () => {
  expect(read("smtp://localhost", "")).toMatchObject([{ variable: "CATCHMENT_MAIL_FROM" }]);
  expect(read("")).toMatchObject([{ variable: "SMTP_URL" }]);
  expect(read("", "")).toBeUndefined();
});
