import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { drawnIds, findDrawn, toLetters } from "./provider-mark.tsx";

test("every logo of the drawing is found by its provider, and nothing else", () => {
  const drawing = readFileSync(new URL("./marks.svg", import.meta.url), "utf8");
  const ids = Array.from(drawing.matchAll(/<symbol id="([^"]+)"/g), ([, id]) => id);
  expect([...drawnIds]).toEqual(ids);
});

test.each([
  ["gitlab", "gitlab"],
  ["gitlab-signing", "gitlab"],
  ["google-chat", "google-chat"],
  ["google-channels", "google"],
  ["slack", null],
  ["generic", null],
])("the logo of %s is %s", (id, drawn) => {
  expect(findDrawn(id)).toBe(drawn);
});

test.each([
  ["sendgrid", "SendGrid", "Se"],
  ["standard-webhooks", "Standard Webhooks", "SW"],
  ["slack", "Slack (events)", "Sl"],
  ["close", "Close", "Cl"],
  ["generic", "Other (unsigned)", "✱"],
])("the mark of %s has the letters %s → %s", (id, name, letters) => {
  expect(toLetters(id, name)).toBe(letters);
});
