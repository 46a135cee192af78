import { expect, test } from "vitest";
import { toLetters } from "./provider-mark.tsx";

test.each([
  ["stripe", "Stripe", "St"],
  ["standard-webhooks", "Standard Webhooks", "SW"],
  ["gitlab", "GitLab (secret token)", "Gi"],
  ["cal-com", "Cal.com", "CC"],
  ["x", "X (Twitter)", "X"],
  ["generic", "Other (unsigned)", "✱"],
])("the mark of %s has the letters %s → %s", (id, name, letters) => {
  expect(toLetters(id, name)).toBe(letters);
});
