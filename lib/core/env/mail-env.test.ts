import { describe, expect, test } from "vitest";
import { z } from "zod";
import { mailVariables, requireWholeMail, toMailEnv } from "./mail-env.ts";

const schema = z.object(mailVariables);
const from = "Catchment <catchment@example.com>";

function read(url: string) {
  return toMailEnv(schema.parse({ SMTP_URL: url, CATCHMENT_MAIL_FROM: from }));
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
  const parsed = schema.safeParse({ SMTP_URL: url, CATCHMENT_MAIL_FROM: from });
  expect(parsed.error?.issues.map(({ path }) => path)).toEqual([["SMTP_URL"]]);
  expect(parsed.error?.issues[0]?.message).not.toContain(url);
});

describe("the sender", () => {
  test.each([
    ["catchment@example.com", { name: "Catchment", email: "catchment@example.com" }],
    ['"Acme, Inc." <Hooks@Example.com>', { name: "Acme, Inc.", email: "hooks@example.com" }],
    ["Zoë <zoe@example.com>", { name: "Zoë", email: "zoe@example.com" }],
  ])("%s", (text, expected) => {
    expect(schema.parse({ CATCHMENT_MAIL_FROM: text }).CATCHMENT_MAIL_FROM).toEqual(expected);
  });

  test.each([
    "nobody",
    "A <a@example.com> <b@example.com>",
    "a@example.com, b@example.com",
    "A\r\nBcc: b@example.com <a@example.com>",
  ])("%j is rejected", (text) => {
    expect(schema.safeParse({ CATCHMENT_MAIL_FROM: text }).success).toBe(false);
  });
});

test("a server without a sender, and the reverse, are reported", () => {
  const problemsOf = (source: object) => requireWholeMail(schema.parse(source));
  expect(problemsOf({ SMTP_URL: "smtp://localhost" })).toMatchObject([
    { variable: "CATCHMENT_MAIL_FROM" },
  ]);
  expect(problemsOf({ CATCHMENT_MAIL_FROM: from })).toMatchObject([{ variable: "SMTP_URL" }]);
  expect(problemsOf({})).toEqual([]);
  expect(toMailEnv({})).toBeUndefined();
});
