import { expect, test } from "vitest";
import { parse } from "yaml";
import { fillReferences } from "./read-files.ts";

function fill(text: string, env: Record<string, string> = {}) {
  const problems: string[] = [];
  return { text: fillReferences({ path: "a.yaml", text }, env, problems), problems };
}

const reference = (name: string) => `\${env:${name}}`;
/** Ends a YAML scalar in every style, if it isn't quoted. */
const value = `a"b'c: #d\\e{{x}}`;

test("secrets come from the environment, whatever they have in them, and lines stay", () => {
  const text = [
    "# comment",
    "hooks:",
    `  - name: A`,
    `    signingSecret: ${reference("ONE")}`,
    "    actions:",
    "      - name: Call",
    `        request: { method: POST, auth: { type: bearer, token: "${reference("ONE")}" } }`,
    "      - name: Steps",
    "        steps:",
    "          - kind: call",
    "            request:",
    `              auth: { type: header, name: x, value: 'Bearer ${reference("TWO")}!' }`,
    "credentials:",
    `  - { name: C, auth: { type: basic, username: "${reference("TWO")}", password: "${reference("ONE")}" } }`,
    "subscriptions:",
    `  - receiverUrl: https://a.example.com`,
    `    headers: { x-key: "${reference("ONE")}" }`,
    "alertChannels:",
    `  - { name: S, kind: slack, url: "https://a.example.com/${reference("TWO")}" }`,
    "",
  ].join("\n");
  const { text: filled, problems } = fill(text, { ONE: value, TWO: "two" });
  expect(problems).toEqual([]);
  expect(filled.split("\n")).toHaveLength(text.split("\n").length);
  expect(parse(filled)).toMatchObject({
    hooks: [
      {
        signingSecret: value,
        actions: [
          { request: { auth: { token: value } } },
          { steps: [{ request: { auth: { value: "Bearer two!" } } }] },
        ],
      },
    ],
    credentials: [{ auth: { username: "two", password: value } }],
    subscriptions: [{ headers: { "x-key": value } }],
    alertChannels: [{ url: "https://a.example.com/two" }],
  });
});

test("nothing else is replaced, and what is missing or misplaced has its line", () => {
  const text = [
    "hooks:",
    `  - name: ${reference("ONE")}`,
    `    signingSecret: ${reference("NONE")}`,
    `    description: Say ${reference("ONE")}`,
    "    actions:",
    "      - name: Code",
    `        steps: [{ kind: transform, code: "\`\${env:ONE}\`" }]`,
    "subscriptions:",
    "  - secret: |",
    `      ${reference("ONE")}`,
    "",
  ].join("\n");
  const { problems } = fill(text, { ONE: "one" });
  expect(problems).toEqual([
    "a.yaml:2: hooks.0.name is no secret, and only secrets come from the environment.",
    "a.yaml:3: set NONE in the environment.",
    `a.yaml:9: write a value with \${env:…} on one line, in quotes.`,
  ]);
  const plain = text.replace(/ {4}signingSecret.*\n| {2}- name.*\n|subscriptions[\s\S]*/g, "");
  expect(fill(plain, { ONE: "one" })).toEqual({ text: plain, problems: [] });
  const broken = `a: [${reference("ONE")}`;
  expect(fill(broken, { ONE: "one" })).toEqual({ text: broken, problems: [] });
});
