import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { fillAccount } from "#lib/services/testing/fill-account.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { fileOf, withConfiguration } from "#lib/web/testing/with-configuration.ts";

const configuration = withConfiguration();
const { api, send, apply } = configuration;

const fill = () =>
  fillAccount(testContext(api.db, configuration.account.id, { sealer: api.context.sealer }));

async function exportYaml(token = configuration.account.token): Promise<string> {
  const headers = { accept: "application/yaml" };
  const response = await api.call("GET", "/api/v1/configuration", { token, headers });
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/yaml",
  ]);
  return response.text;
}

const secrets = ["token-of-the-api", "key-of-the-call", "header-of-the-customer", "whsec_", "/T0"];
const expectNoSecret = (text: string) => {
  for (const secret of secrets) expect(text).not.toContain(secret);
};

/** The items of the lists of a file, with the actions of hooks. */
function countItems(text: string): number {
  const file = Object.values(parse(text)).filter((list): list is object[] => Array.isArray(list));
  const items = file.flat().filter((item) => typeof item === "object");
  const actions = items.flatMap((item) => (item as { actions?: object[] }).actions ?? []);
  return items.length + actions.length;
}

/** All of the account but what changes whenever it is read. */
async function snapshot() {
  const where = { accountId: configuration.account.id };
  const { hook, action, credential, destination, eventType, recipient } = api.db;
  const { subscription, alertChannel, alertRule, configurationMark, auditEntry } = api.db;
  const tables = [hook, action, credential, destination, eventType, recipient, subscription];
  const others = [alertChannel, alertRule, configurationMark, auditEntry];
  const rows = await Promise.all(
    [...tables, ...others].map((table) => (table as typeof hook).findMany({ where })),
  );
  return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

test("the plan of an export is empty, with everything in the account, and applying it changes nothing", async () => {
  await fill();
  const text = await exportYaml();
  expect(text).toMatch(
    /^# yaml-language-server: \$schema=https:\/\/hooks\.example\.test\/api\/v1\/configuration\.schema\.json\nformat: /,
  );
  expect(text).toContain("12345678901234567890.10");
  expectNoSecret(text);
  const json = await api.send("GET", "/configuration", undefined, configuration.account.token);
  expect(JSON.parse(JSON.stringify(parse(text)))).toEqual(JSON.parse(json.text));
  for (const each of [text, json.text]) {
    const plan = await apply([each]);
    expect(plan).toMatchObject({
      items: [],
      keptCount: 0,
      adoptedCount: 0,
      prunedCount: 0,
      toDo: [],
    });
    expect(plan.sameCount).toBe(countItems(text));
  }
  expect(await exportYaml()).toBe(text);
  const schema = await api.call("GET", "/api/v1/configuration.schema.json", { token: null });
  expect([schema.status, schema.body.properties.format.const]).toEqual([
    200,
    "catchment.configuration/1",
  ]);
});

test("an export makes another account the same, and applying it again changes nothing", {
  tags: "variant",
}, async () => {
  await fill();
  const text = await exportYaml();
  await configuration.enter();
  const whole = text
    .replace("type: bearer\n", "type: bearer\n      token: token-of-the-api\n")
    .replace(
      /^( +)forward: null\n/m,
      "$&$1auth: { type: header, name: x-key, value: key-of-the-call }\n",
    )
    .replace("x-tenant: null", "x-tenant: header-of-the-customer")
    .replace("kind: slack\n", "kind: slack\n    url: https://slack.example.com/T0\n")
    .replace("kind: url\n", "kind: url\n    url: https://ops.example.com/a\n");
  const first = await apply([whole]);
  expect(first.items.filter(({ op }: { op: string }) => op === "add")).toHaveLength(
    countItems(text),
  );
  expectNoSecret(JSON.stringify(first));
  const before = await snapshot();
  const second = await send("plan", [whole]);
  expect(second.body).toMatchObject({ items: [], sameCount: countItems(text) });
  expect(await snapshot()).toBe(before);
  expect(await exportYaml()).toBe(text);
});

test("a plan shows values, hides secrets, and changes nothing", async () => {
  await fill();
  const before = await snapshot();
  const files = [
    fileOf(
      "credentials:",
      "  - name: API",
      "    origin: https://api.example.com",
      "    auth: { type: bearer, token: new-token-of-the-api }",
      "hooks:",
      "  - { name: Payments, provider: stripe, ratePerSecond: 70, signingSecret: whsec_0123456789abcdefghijABCDEFGHIJ99 }",
    ),
    fileOf(
      "alertChannels:",
      "  - { name: Slack, kind: slack, url: https://slack.example.com/T0NEW }",
    ),
  ];
  const { body, text } = await send("plan", files);
  const changes = body.items.flatMap(
    ({
      what,
      changes: each,
    }: {
      what: string;
      changes: { path: string; from: string; to: string; isSecret: boolean }[];
    }) =>
      each.map(({ path, from, to, isSecret }) => [
        what,
        path,
        ...(isSecret ? ["changed"] : [from, to]),
      ]),
  );
  expect(changes).toContainEqual(['hook "Payments"', "ratePerSecond", "50", "70"]);
  expect(changes).toContainEqual(['hook "Payments"', "signingSecret", "changed"]);
  expect(changes).toContainEqual(['credential "API"', "auth.token", "changed"]);
  expect(changes).toContainEqual(['alert channel "Slack"', "url", "changed"]);
  expectNoSecret(text);
  expect(await snapshot()).toBe(before);
});

test("one invalid object changes nothing at all, and the error has its file and line", async () => {
  const before = await snapshot();
  const good = fileOf("hooks:", "  - name: Good");
  const bad = fileOf(
    "hooks:",
    "  - name: Bad",
    "    actions:",
    "      - name: Call",
    "        request: { method: POST, url: https://a.example.com, destination: Nowhere }",
    "eventTypes:",
    "  - { name: a.b, schema: { type: nothing } }",
  );
  for (const call of ["plan", "apply"] as const) {
    const response = await send(call, [good, bad], call === "apply" ? { planId: "x" } : {});
    expect(response.status).toBe(400);
    const paths = response.body.errors.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toEqual([
      "file-1.yaml:5 hooks.1.actions.0.request.destination",
      expect.stringMatching(/^file-1\.yaml:8 eventTypes\.0\.schema/),
    ]);
  }
  expect(await snapshot()).toBe(before);
});

test("a secret is in no error", async () => {
  const secret = "canary7f3aq9";
  const bad = [
    fileOf("hooks:", `  - { name: A, provider: stripe, signingSecret: ${secret} }`),
    fileOf("hooks:", `  - { name: ${secret.repeat(40)} }`, `sending: ${secret}`),
    fileOf(
      "credentials:",
      `  - { name: A, origin: "https://a.example.com", auth: { type: ${secret}, token: ${secret} } }`,
    ),
    fileOf(
      "credentials:",
      `  - { name: A, origin: "https://a.example.com", auth: { type: hmac, secret: ${secret} } }`,
    ),
    fileOf(
      "subscriptions:",
      `  - { receiverUrl: "https://a.example.com", secret: ${secret}, headers: { "a b": ${secret} } }`,
    ),
    fileOf("alertChannels:", `  - { name: A, kind: slack, url: "ftp://${secret}" }`),
    fileOf("alertChannels:", `  - { name: A, kind: pagerduty, routingKey: ${secret} }`),
    fileOf(
      "hooks:",
      "  - name: A",
      "    actions:",
      "      - name: C",
      "        request:",
      "          method: POST",
      "          url: https://a.example.com",
      `          auth: { type: bearer, token: [${secret}] }`,
    ),
    fileOf(`secrets: ${secret}`),
    fileOf("alertChannels:", `  - { name: A, kind: slack, url: "https://\${env:A}/${secret}" }`),
    `format: catchment.configuration/1\nhooks: [{name: A, signingSecret: "${secret}`,
  ];
  for (const text of bad) {
    const response = await send("plan", [text]);
    expect([200, 400]).toContain(response.status);
    expect(response.text).not.toContain(secret);
  }
});

describe("names", () => {
  it("was renames, once, and what refers to it follows", async () => {
    await fill();
    const ids = async () =>
      (await api.db.hook.findMany({ where: { accountId: configuration.account.id } }))
        .map(({ id }) => id)
        .toSorted();
    const before = await ids();
    const text = (await exportYaml())
      .replace("  - name: Payments\n", "  - name: Charges\n    was: Payments\n")
      .replace("  - name: API\n    origin", "  - name: CRM\n    was: API\n    origin")
      .replaceAll("credential: API", "credential: CRM")
      .replace("  - name: Slack\n", "  - name: On-call\n    was: Slack\n")
      .replaceAll("- Slack\n", "- On-call\n")
      .replace("- name: Forward\n", "- name: Send\n        was: Forward\n");
    const plan = await apply([text]);
    expect(plan.items.map(({ op }: { op: string }) => op)).not.toContain("add");
    expect(plan.items).toContainEqual({
      op: "change",
      kind: "hook",
      what: 'hook "Payments"',
      changes: [{ path: "name", from: '"Payments"', to: '"Charges"', isSecret: false }],
    });
    expect(await ids()).toEqual(before);
    expect((await send("plan", [text])).body).toMatchObject({ items: [] });
  });

  it("a number that would be another one is an error", async () => {
    const response = await send("plan", [fileOf("hooks:", "  - { name: A, number: 3 }")]);
    expect([response.status, response.body.errors[0].path]).toEqual([400, 'hook "A #3"']);
  });
});
