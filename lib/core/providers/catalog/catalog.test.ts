import { describe, expect, it } from "vitest";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { dedupeRuleSchema, eventTypeRuleSchema } from "#lib/schema/receive/event-rules.ts";
import { verificationSchema } from "#lib/schema/receive/verification.ts";
import { findProvider, listProviders } from "./catalog.ts";

describe("the catalog", () => {
  it("contains each id once, and finds it", () => {
    const ids = listProviders().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(findProvider(id)?.id).toBe(id);
  });

  it.each(["generic", "custom", "nobody", "__proto__", "constructor", ""])(
    "%j isn't in it",
    (id) => {
      expect(findProvider(id)).toBeUndefined();
    },
  );

  it.each(listProviders().filter(({ scheme }) => scheme.kind !== "code"))(
    "$id could also be a custom verification",
    ({ scheme }) => {
      expect(verificationSchema.parse(scheme)).toEqual(scheme);
    },
  );

  it.each(listProviders())(
    "$id has its id and type where a hook can read them",
    ({ eventId, eventType }) => {
      expect(dedupeRuleSchema.safeParse(eventId.length === 0 ? null : eventId).success).toBe(true);
      if (eventType.length > 0) expect(eventTypeRuleSchema.safeParse(eventType).success).toBe(true);
    },
  );

  it.each(listProviders())("$id says what to paste, where, and where to read more", (provider) => {
    expect(provider.id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    expect(provider.docsUrl).toMatch(/^https:\/\//);
    for (const text of [provider.secretHelp, provider.whereToPaste])
      expect(text).toMatch(/^[A-Za-z].{20,}\.$/);
    const parts = provider.eventId.flatMap((source) =>
      source.from === "all" ? source.of : [source],
    );
    for (const source of [...parts, ...provider.eventType]) {
      if (source.from === "header") expect(source.name).toBe(source.name.toLowerCase());
    }
  });

  it("every identity rule names its source, or null if none is published", () => {
    const isNamed = ({ source }: Provider["identity"]) =>
      source === null || /^(?:https:\/\/[^\s/]+\.[^\s/]+\/|npm )\S+$/.test(source);
    const missing = listProviders().filter(({ identity }) => !isNamed(identity));
    expect(missing.map(({ id }) => `lib/core/providers/${id}.ts: identity.source`)).toEqual([]);
  });

  it.each(listProviders())("$id: a secret is generated only if the user chooses it", (provider) => {
    const isTold = /\byou (?:typed|entered|gave|give|set|put)\b|\btyped at\b/.test(
      provider.secretHelp,
    );
    const isToken = ["token", "basic", "bearer"].includes(provider.scheme.kind);
    if (provider.isSecretChosen === true) expect(isTold || isToken).toBe(true);
    else if (provider.id !== "messagebird") expect(isTold).toBe(false);
  });
});
