import { expect, test } from "vitest";
import { listProviders } from "#lib/core/catalog/catalog.ts";
import { describeProviderChoice, listProviderChoices } from "./list-provider-choices.ts";

test("the list of providers holds each once, the most used first, and no more than a page can carry", () => {
  const choices = listProviderChoices();
  expect(new Set(choices.map(({ id }) => id)).size).toBe(listProviders().length);
  expect(choices.slice(0, 4).map(({ id }) => id)).toEqual(["stripe", "github", "shopify", "slack"]);
  expect(choices.filter(({ group }) => group === "used")).toHaveLength(12);
  expect(choices.filter(({ group }) => group === "scheme")).toHaveLength(5);
  expect(JSON.stringify(choices).length).toBeLessThan(100 * choices.length);
});

test("every provider can be described to a form, and an unknown one can't", () => {
  for (const { id } of listProviders()) {
    const described = describeProviderChoice(id);
    expect(described).toMatchObject({ id, isSigned: true });
    expect(described?.whereToPaste).not.toBe("");
    // What goes to the browser is data.
    expect(structuredClone(described)).toEqual(described);
  }
  expect(describeProviderChoice("generic")).toMatchObject({ isSigned: false, takesSecret: false });
  expect(describeProviderChoice("custom")).toMatchObject({ isSigned: true, takesSecret: true });
  expect(describeProviderChoice("nobody")).toBeUndefined();
});
