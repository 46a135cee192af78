import { expect, it } from "vitest";
import { listProviders } from "./catalog.ts";
import { findSimilarProvider } from "./find-similar-provider.ts";

it.each([
  ["Stripe", "stripe"],
  ["strpie", "stripe"],
  ["stripes", "stripe"],
  ["git-hub", "github"],
  ["gihtub", "github"],
  ["Standard Webhooks", "standard-webhooks"],
  ["standard_webhooks", "standard-webhooks"],
  ["sendgird", "sendgrid"],
  ["twillio", "twilio"],
  ["pay pal", "paypal"],
  ["costum", "custom"],
])("%s suggests %s", (written, id) => {
  expect(findSimilarProvider(written)).toBe(id);
});

it.each(["", "q7", "acme-crm", "qwertyuiop", "🙂", "a".repeat(64)])(
  "nothing is similar to %j",
  (written) => {
    expect(findSimilarProvider(written)).toBeNull();
  },
);

it("every provider is found by its id without a letter, or by its name", () => {
  for (const { id, name } of listProviders()) {
    expect(findSimilarProvider(id.toUpperCase())).toBe(id);
    const found = findSimilarProvider(name);
    expect(listProviders().find((one) => one.id === found)?.name).toBe(name);
  }
});
