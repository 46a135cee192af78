import { expect, it } from "vitest";
import { hookReplySchema, storedHookReplySchema } from "./hook-reply.ts";

const actionId = "01a2063c-a3bb-7264-b86d-02b79f7f621b";
function errorOf(input: object): string | undefined {
  const [issue] = hookReplySchema.safeParse({ actionId, ...input }).error?.issues ?? [];
  return issue?.code === "invalid_key" ? issue.issues[0]?.message : issue?.message;
}

it("an action alone is a reply: 200 without a body, after 10 s at most", () => {
  expect(hookReplySchema.parse({ actionId })).toEqual({
    actionId,
    waitSeconds: 10,
    status: 200,
    headers: {},
    body: "",
    onFailure: null,
  });
});

it("reads what it wrote", () => {
  const headers = { "Content-Type": "application/json", "x-of": "{{ id }}" };
  const parts = { status: "{{ steps.call.status }}", headers, body: "{{ steps.call.body }}" };
  const saved = hookReplySchema.parse({ actionId, ...parts, onFailure: { status: "404" } });
  expect(saved.onFailure?.status).toBe(404);
  expect(hookReplySchema.parse(JSON.parse(JSON.stringify(saved)))).toEqual(saved);
});

const names = (issues: readonly { path: readonly PropertyKey[] }[]) =>
  issues.map(({ path }) => path.join("."));

it("can set only headers that mean nothing to browsers and proxies, and names the others", () => {
  const allowed = ["Content-Language", "Cache-Control", "ETag", "Last-Modified", "Retry-After"];
  const inert = ["X-Slack-No-Retry", "x-request-id", "X-Of"];
  const headers = Object.fromEntries([...allowed, ...inert].map((name) => [name, "1"]));
  expect(hookReplySchema.parse({ actionId, headers }).headers).toEqual(headers);
  const others = [
    ...["Set-Cookie", "Location", "Refresh", "Link", "Vary", "Content-Disposition"],
    ...["Access-Control-Allow-Origin", "Service-Worker-Allowed", "SourceMap"],
    ...["X-Content-Type-Options", "x-frame-options", "X-XSS-Protection", "X-UA-Compatible"],
    ...["X-Accel-Redirect", "X-Sendfile", "X-Lighttpd-Send-File", "X-Reproxy-URL"],
    ...["Newer-Than-This-List", "x"],
  ];
  const given = Object.fromEntries(others.map((name) => [name, "1"]));
  const onFailure = { headers: { link: "</a>" } };
  const { error } = hookReplySchema.safeParse({ actionId, headers: given, onFailure });
  expect(names(error?.issues ?? [])).toEqual([
    ...others.map((name) => `headers.${name}`),
    "onFailure.headers.link",
  ]);
  expect(error?.issues[0]?.message).toMatch(/can't be set in a reply. Use cache-control, .* x-/);
  const stored = storedHookReplySchema.parse({ actionId, headers: given });
  expect(stored.headers).toEqual(given);
});

it.each(["Transfer-Encoding", "connection", "content-length", "proxy-authenticate"])(
  "%s can't be set",
  (name) => {
    expect(errorOf({ headers: { [name]: "x" } })).toMatch(/can't be/);
  },
);

it.each([
  [{ status: 302 }, /must be a status/],
  [{ status: "ok" }, /must be a status/],
  [{ status: 200.5 }, /must be a status/],
  [{ waitSeconds: 31 }, /at most 30/],
  [{ waitSeconds: 0 }, /at least 1/],
  [{ headers: { "content-type": "text/html" } }, /must be text\/plain/],
  [{ headers: { "content-type": "{{ type }}" } }, /without a template/],
  [{ headers: { "X-A": "1", "x-a": "2" } }, /twice/],
  [{ body: "ä".repeat(40_000) }, /bytes/],
])("rejects %j", (input, message) => {
  expect(errorOf(input)).toMatch(message);
});
