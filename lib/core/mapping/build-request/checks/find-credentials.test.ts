import { describe, expect, test } from "vitest";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { findCredentials } from "./find-credentials.ts";

function find(fields: Partial<ActionRequestTemplate>): string[] {
  const rest = {
    method: "POST",
    headers: {},
    query: {},
    body: null,
    bodyText: null,
    forward: null,
  } as const;
  return findCredentials({ url: "https://api.example.com/v1", ...rest, ...fields }).map(
    ({ path }) => path,
  );
}

const hex = "9f86d081884c7d659a2feaa0c55ad015";
// Concatenated here, so that no secret scanner reports this file.
const known = [
  `sk_${"live"}_4eC39HqLyjWDarjtT1zdp7dc`,
  `rk_${"test"}_4eC39HqLyjWDarjtT1zdp7dc`,
  `gh${"p"}_16C7e42F292c6912E7710c838347Ae178B4a`,
  `github_${"pat"}_11ABCDEFG0123456789_abcdefghijklmnop`,
  `xox${"b"}-123456789012-abcdefABCDEF`,
  `AK${"IA"}IOSFODNN7EXAMPLE`,
  `S${"G"}.abcdefghijklmnopqrst.abcdefghijklmnopqrst`,
  `sk-${"proj"}-abcdefghijklmnopqrstuvwxyz`,
  `glp${"at"}-abcdefghijklmnopqrst`,
  `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N`,
  `-----BEGIN RSA ${"PRIVATE"} KEY-----`,
];

describe("a credential in the request is found", () => {
  test.each(known)("%s, wherever it is", (token) => {
    expect(find({ headers: { "X-Anything": `prefix ${token}` } })).toEqual(["headers.X-Anything"]);
    expect(find({ query: { q: token } })).toEqual(["query.q"]);
    expect(find({ body: { a: [{ b: `${token}` }] } })).toEqual(["body.a[0].b"]);
    expect(find({ bodyText: `<key>${token}</key>` })).toEqual(["bodyText"]);
    expect(find({ url: `https://api.example.com/v1?x=1&y=${token}` })).toEqual(["url"]);
    expect(find({ body: { a: `{{ payload.key | default: "${token}" }}` } })).toEqual(["body.a"]);
  });

  test.each<[Partial<ActionRequestTemplate>, string]>([
    [{ headers: { Authorization: "Bearer abc" } }, "headers.Authorization"],
    [{ headers: { AUTHORIZATION: "abc" } }, "headers.AUTHORIZATION"],
    [{ headers: { Authorization: "Basic dXNlcjpwYXNz" } }, "headers.Authorization"],
    [{ headers: { "X-Api-Key": "short" } }, "headers.X-Api-Key"],
    [{ headers: { "x-auth-token": "abc" } }, "headers.x-auth-token"],
    [{ headers: { "X-Service-Token": hex } }, "headers.X-Service-Token"],
    [{ headers: { "X-Custom": "Bearer abcdefgh1" } }, "headers.X-Custom"],
    [{ headers: { Cookie: "session=1" } }, "headers.Cookie"],
    [{ query: { api_key: "abc" } }, "query.api_key"],
    [{ query: { access_token: "abc{{ id }}" } }, "query.access_token"],
    [{ query: { key: hex } }, "query.key"],
    [{ url: "https://api.example.com/v1?api_key=abc" }, "url"],
    [{ url: "https://api.example.com/v1?a=1&%61pi_key=abc" }, "url"],
    [{ url: `https://api.example.com/{{ id }}?token=${hex}` }, "url"],
    [{ body: { client_secret: "abc" } }, "body.client_secret"],
    [{ body: { auth: { password: "Tr0ub4dor&3xyz" } } }, "body.auth.password"],
  ])("%j", (fields, path) => expect(find(fields)).toEqual([path]));
});

describe("other values pass", () => {
  test.each<Partial<ActionRequestTemplate>>([
    { headers: { Authorization: "Bearer {{ payload.token }}" } },
    { headers: { "X-Api-Key": "{{ headers['x-api-key'] }}" } },
    { headers: { "content-type": "application/json", accept: "*/*", "x-request-id": hex } },
    { headers: { "X-Signature-Version": "2" } },
    { query: { token: "{{ data.object.id }}", api_key: "{{ payload.key }}", page: "2" } },
    { url: "https://hooks.example.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX" },
    { url: "https://api.example.com/v1?token={{ payload.token }}&key=name" },
    { url: "{{ payload.url }}" },
    { body: { token: "device", key: "customer.created", password: "{{ payload.password }}" } },
    {
      body: {
        text: "Your basic subscription of 2026 ends; the bearer of this note",
        secretary: "Ada",
      },
    },
    { body: { id: hex, note: "sk-learn and key-value pairs", next_page_token: "" } },
    { bodyText: "token: {{ payload.token }}" },
  ])("%j", (fields) => expect(find(fields)).toEqual([]));
});

test("the message says where to put it", () => {
  const [found] = findCredentials({
    method: "GET",
    url: "https://api.example.com",
    headers: {},
    query: { api_key: "abc" },
    body: null,
    bodyText: null,
    forward: null,
  });
  expect(found?.message).toContain('request.auth with the type "query"');
});
