import { expect, test } from "vitest";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { describeProviderChoice, listProviderChoices } from "./list-provider-choices.ts";

test("the list of providers contains each once, the most popular first, and fits on a page", () => {
  const choices = listProviderChoices();
  expect(new Set(choices.map(({ id }) => id)).size).toBe(listProviders().length);
  expect(choices.slice(0, 4).map(({ id }) => id)).toEqual(["stripe", "github", "shopify", "slack"]);
  expect(choices.filter(({ group }) => group === "used")).toHaveLength(12);
  expect(choices.filter(({ group }) => group === "scheme")).toHaveLength(5);
  expect(JSON.stringify(choices).length).toBeLessThan(100 * choices.length);
});

test("every provider has a description for forms, and an unknown one doesn't", () => {
  for (const { id } of listProviders()) {
    const described = describeProviderChoice(id);
    expect(described).toMatchObject({ id, isSigned: true });
    expect(described?.whereToPaste).not.toBe("");
    // The browser can only receive plain data.
    expect(structuredClone(described)).toEqual(described);
  }
  expect(describeProviderChoice("generic")).toMatchObject({ isSigned: false, takesSecret: false });
  expect(describeProviderChoice("custom")).toMatchObject({ isSigned: true, takesSecret: true });
  expect(describeProviderChoice("nobody")).toBeUndefined();
});
