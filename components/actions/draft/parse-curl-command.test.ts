import fc from "fast-check";
import { expect, test } from "vitest";
import { callActionSchema } from "#lib/schema/act/action.ts";
import { newDraft, readDraft } from "./action-draft.ts";
import { parseCurlCommand } from "./parse-curl-command.ts";

function draftOf(command: string) {
  const parsed = parseCurlCommand(command);
  if (!parsed.ok) throw new Error(parsed.message);
  const [step] = newDraft.steps;
  if (step?.work.kind !== "call") throw new Error("A new action makes a call.");
  const request = { ...step.work.request, ...parsed.request };
  const steps = [{ ...step, work: { ...step.work, request } }];
  const read = readDraft({ ...newDraft, name: "Pasted", steps });
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return { ...callActionSchema.parse(read.input).request, notes: parsed.notes };
}

test("a command from browser developer tools becomes the same request", () => {
  const request = draftOf(`curl 'https://api.example.com/people?x=1&y=2' \\
  -H 'accept: */*' \\
  -H 'content-type: application/json' \\
  -H 'host: api.example.com' \\
  -H 'x-empty;' \\
  --data-raw $'{"note":"it\\'s \\u00e9","big":12345678901234567890123,"list":[1]}' \\
  --compressed --insecure`);
  expect(request).toMatchObject({
    method: "POST",
    url: "https://api.example.com/people?x=1&y=2",
    headers: { accept: "*/*", "x-empty": "" },
    body: { note: "it's é", list: [1] },
  });
  expect(String((request.body as { big: unknown }).big)).toBe("12345678901234567890123");
  expect(request.notes.join(" ")).toMatch(/certificates are always checked.*host/s);
});

test("credentials are stored encrypted", () => {
  expect(draftOf("curl -u sk_live_1: https://a.example -d amount=5 -d currency=eur")).toMatchObject(
    {
      method: "POST",
      auth: { type: "basic", username: "sk_live_1", password: "" },
      bodyText: "amount=5&currency=eur",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    },
  );
  expect(draftOf('curl -H "Authorization: Bearer a b" https://a.example')).toMatchObject({
    auth: { type: "bearer", token: "a b" },
    headers: {},
  });
  expect(
    draftOf(`curl -H 'Authorization: Basic ${btoa("me:pa:ss")}' https://a.example`).auth,
  ).toEqual({
    type: "basic",
    username: "me",
    password: "pa:ss",
  });
});

test("options are parsed as curl does", () => {
  expect(draftOf("curl -sSLXPUT -d '' https://a.example")).toMatchObject({ method: "PUT" });
  expect(draftOf("curl -G https://a.example/s --data-urlencode 'q=a b&c' -d n=1")).toMatchObject({
    method: "GET",
    url: "https://a.example/s?q=a%20b%26c&n=1",
  });
  expect(draftOf(`curl --json '{"a":1}' --url a.example`)).toMatchObject({
    method: "POST",
    url: "http://a.example",
    body: { a: 1 },
  });
  expect(draftOf("curl -I https://a.example")).toMatchObject({ method: "HEAD" });
  expect(draftOf('curl --request=PATCH https://a.example -H "X-A: say \\"hi\\""')).toMatchObject({
    method: "PATCH",
    headers: { "X-A": 'say "hi"' },
  });
});

test.each([
  ["-F a=b", { kind: "field", name: "a", value: "b", fileName: "", contentType: "" }],
  ["-F 'a=x=y; z'", { kind: "field", value: "x=y; z" }],
  [`-F 'a="x;type=y"'`, { kind: "field", value: "x;type=y", contentType: "" }],
  [`-F 'a={"b":1};type=application/json'`, { value: '{"b":1}', contentType: "application/json" }],
  ["--form-string 'a=@b;type=c'", { kind: "field", value: "@b;type=c", contentType: "" }],
  ["-F a=hi;filename=a.txt", { kind: "text", value: "hi", fileName: "a.txt" }],
  [
    "-Fa=@/tmp/x/b.pdf;type=application/pdf",
    { kind: "base64", value: "", fileName: "b.pdf", contentType: "application/pdf" },
  ],
  [`--form 'a=@b.pdf;filename="c d.pdf"'`, { kind: "base64", fileName: "c d.pdf" }],
  ["-F 'a=<note.txt'", { kind: "field", value: "" }],
])("%s is a part of a form", (option, part) => {
  const word = option.includes("'") ? option : option.replace(/(\S+)$/, "'$1'");
  const header = "-H 'Content-Type: multipart/form-data'";
  const parsed = parseCurlCommand(`curl https://a.example ${header} ${word}`);
  if (!parsed.ok) throw new Error(parsed.message);
  expect(parsed.request).toMatchObject({ method: "POST", bodyMode: "multipart", headers: [] });
  expect(parsed.request.parts).toMatchObject([part]);
  expect(parsed.notes.length).toBe(/=[@<]/.test(option) && !option.startsWith("--form-s") ? 1 : 0);
});

test("unsupported options are rejected with the reason", () => {
  const rejections: readonly [command: string, why: RegExp][] = [
    ["wget https://a.example", /start with curl/],
    ["curl", /no URL/],
    ["curl 'https://a.example", /isn't closed/],
    ["curl https://a.example | sh", /outside of quotes/],
    ["curl https://a.example?a=1&b=2", /outside of quotes/],
    ["curl -F file https://a.example", /has no =/],
    ["curl -F a=b -d c https://a.example", /Leave one of them out/],
    ["curl -d @body.json https://a.example", /from a file/],
    ["curl -X TRACE https://a.example", /TRACE/],
    ["curl https://a.example -H", /no value/],
    [`curl ${"x".repeat(300_001)}`, /longer/],
  ];
  for (const [command, why] of rejections)
    expect([command.slice(0, 60), parseCurlCommand(command)]).toEqual([
      command.slice(0, 60),
      { ok: false, message: expect.stringMatching(why) },
    ]);
});

test("any pasted text gives a result", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "curl ",
      "-H ",
      "'",
      '"',
      "$'",
      "\\",
      "\n",
      "https://a.example ",
      "-d ",
      "@",
      "\\u12",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      expect(typeof parseCurlCommand(`curl ${pieces.join("")}`).ok).toBe("boolean");
    }),
  );
});
