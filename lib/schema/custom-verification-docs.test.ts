import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { verificationSchema } from "./verification.ts";

const docs = readFileSync(new URL("../../docs/custom-verification.md", import.meta.url), "utf8");

it("every example in docs/custom-verification.md is a verification as it stands", () => {
  const examples = [...docs.matchAll(/```json\n([\s\S]+?)```/g)].map(([, text = ""]): unknown =>
    JSON.parse(text),
  );
  expect(examples).toHaveLength(3);
  for (const example of examples)
    expect(verificationSchema.safeParse(example).error).toBeUndefined();
});

it("the handshakes of LinkedIn, Strava, RingCentral and Adobe Sign are what the docs show", () => {
  const rows = [...docs.matchAll(/^\| (\w[\w ]+) \| `(\[\{.+?\}\])` \|/gm)];
  expect(rows.map(([, name]) => name)).toEqual(["LinkedIn", "Strava", "RingCentral", "Adobe Sign"]);
  const mac = JSON.parse(/```json\n([\s\S]+?)```/.exec(docs)?.[1] ?? "");
  for (const [, , handshakes = ""] of rows)
    expect(
      verificationSchema.safeParse({ ...mac, handshakes: JSON.parse(handshakes) }).error,
    ).toBeUndefined();
});
