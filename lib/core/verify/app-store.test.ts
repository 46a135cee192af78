/**
 * Attacks on App Store notifications: by an attacker, by another app, or with an old certificate.
 */
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { readEvents } from "#lib/core/verify/batch/read-events.ts";
import { appleRoot, appleRootG3, findPinnedRoots } from "./certificate/pinned-roots.ts";
import { makeChain } from "./testing/test-chain.ts";
import { notification, notificationToken, type TokenChanges } from "./testing/test-notification.ts";
import { outcomeOf } from "./testing/test-outcome.ts";
import { requestOf } from "./testing/test-request.ts";

const dayMs = 86_400_000;
const chain = await makeChain();
const others = await makeChain();
const [leaf, intermediate, root] = chain.x5c;
const { data, signedDate: atMs } = notification;
const tokenOf = (changes: TokenChanges = {}) => notificationToken({ by: chain, ...changes });
const settings = { bundleId: "com.example.app" };
const bodyOf = (token: unknown) => JSON.stringify({ signedPayload: token });

function check(
  changes: TokenChanges,
  nowMs = atMs,
  at: Readonly<Record<string, string>> = settings,
) {
  return checkBody(bodyOf(tokenOf(changes)), nowMs, at);
}

function checkBody(body: string, nowMs = atMs, at: Readonly<Record<string, string>> = settings) {
  const keys = () => chain.roots;
  return outcomeOf("apple-app-store", at, requestOf({}, body), { keys, atMs: nowMs });
}

describe("the certificates", () => {
  it("lead to the trusted root, whatever root the message has", () => {
    expect(check({})).toBe("verified");
    expect(check({ header: { x5c: [leaf, intermediate, "another root"] } })).toBe("verified");
  });

  it("of an attacker are rejected, even with the right root behind them", () => {
    const [otherLeaf, otherIntermediate] = others.x5c;
    expect(check({ by: others })).toBe("key_unknown");
    expect(check({ by: others, header: { x5c: [otherLeaf, otherIntermediate, root] } })).toBe(
      "key_unknown",
    );
    expect(check({ by: others, header: { x5c: [otherLeaf, intermediate, root] } })).toBe(
      "key_unknown",
    );
    expect(check({ by: others, header: { x5c: chain.x5c } })).toBe("signature_mismatch");
  });

  it("without the trusted root are rejected", () => {
    const keys = () => undefined;
    const request = requestOf({}, bodyOf(tokenOf()));
    expect(outcomeOf("apple-app-store", settings, request, { keys, atMs })).toBe("key_unknown");
  });

  it.each([
    ["none", undefined],
    ["no list", leaf],
    ["one", [leaf]],
    ["two", [leaf, intermediate]],
    ["four", [leaf, intermediate, root, root]],
    ["a number", [1, intermediate, root]],
    ["an empty one", ["", intermediate, root]],
    ["another order", [intermediate, leaf, root]],
    ["the leaf as its own issuer", [leaf, leaf, root]],
    ["the root as intermediate", [leaf, root, root]],
    ["PEM", [new X509Certificate(Buffer.from(leaf, "base64")).toString(), intermediate, root]],
    ["a byte behind the leaf", [longer(leaf), intermediate, root]],
    ["a byte behind the intermediate", [leaf, longer(intermediate), root]],
    ["white space in it", [`${leaf} `, intermediate, root]],
    ["100,000 bytes", [leaf, Buffer.alloc(100_000, 0x30).toString("base64"), root]],
  ])("%s: rejected", (_, x5c) => {
    expect(check({ header: { x5c } })).toMatch(/^(signature_malformed|key_unknown)$/);
  });

  it("without Apple's extensions, or with each other's, are rejected", async () => {
    for (const options of [
      { leafId: null },
      { intermediateId: null },
      { leafId: "1.2.840.113635.100.6.2.1" },
      { intermediateId: "1.2.840.113635.100.6.11.1" },
      { leafId: "1.2.840.113635.100.6.11.1.1" },
      { isIntermediateCa: false },
      { isLeafCa: true },
    ]) {
      const by = await makeChain(options);
      const request = requestOf({}, bodyOf(tokenOf({ by })));
      const keys = () => by.roots;
      expect([options, outcomeOf("apple-app-store", settings, request, { keys, atMs })]).toEqual([
        options,
        "key_unknown",
      ]);
    }
  });

  it("count at the signed date", async () => {
    const by = await makeChain({
      leafFrom: new Date(atMs - dayMs),
      leafTo: new Date(atMs + dayMs),
    });
    const at = (signedDate: number, roots = by.roots) =>
      outcomeOf(
        "apple-app-store",
        settings,
        requestOf({}, bodyOf(tokenOf({ by, claims: { signedDate } }))),
        { keys: () => roots, atMs: signedDate + 2 * dayMs },
      );
    expect(at(atMs)).toBe("verified");
    expect(at(atMs - dayMs - 60_001)).toBe("key_expired");
    expect(at(atMs + dayMs + 60_001)).toBe("key_expired");
    expect(
      at(
        atMs,
        by.roots.map((one) => ({ ...one, validToMs: atMs - 1 })),
      ),
    ).toBe("key_expired");
  });

  it("with any changed byte are rejected", () => {
    const der = Buffer.from(leaf, "base64");
    for (let at = 0; at < der.length; at += 7) {
      const changed = Buffer.from(der);
      changed.writeUInt8(der.readUInt8(at) ^ 0x21, at);
      const x5c = [changed.toString("base64"), intermediate, root];
      expect([at, check({ header: { x5c } })]).not.toContain("verified");
    }
  });
});

describe("the token", () => {
  it.each(["none", "HS256", "ES384", "ES512", "RS256", "es256", "", null])(
    "with the algorithm %j is rejected",
    (alg) => {
      expect(check({ header: { alg } })).toBe("signature_malformed");
      const [head, claims] = tokenOf({ header: { alg } }).split(".");
      expect(checkBody(bodyOf(`${head}.${claims}.`))).toBe("signature_malformed");
    },
  );

  it("of a leaf on another curve is rejected", async () => {
    const by = await makeChain({ leafCurve: "P-384" });
    const request = requestOf({}, bodyOf(tokenOf({ by })));
    expect(outcomeOf("apple-app-store", settings, request, { keys: () => by.roots, atMs })).toBe(
      "signature_mismatch",
    );
  });

  it("signed with another key is rejected", () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    expect(check({ by: { ...chain, privateKey } })).toBe("signature_mismatch");
  });

  it("with something behind it, of ten megabytes, or of another type is rejected", () => {
    const token = tokenOf();
    for (const other of [`${token}A`, `${token}.`, `${token}.x`, ` ${token}`, `${token}\n`])
      expect(checkBody(bodyOf(other))).toMatch(/^signature_m/);
    expect(check({ claims: { text: "x".repeat(300_000) } })).toBe("signature_malformed");
    expect(check({ claims: { text: "x".repeat(10_000_000) } })).toBe("signature_missing");
    for (const other of [null, 1, [token], { token }])
      expect(checkBody(bodyOf(other))).toBe("signature_missing");
    expect(checkBody(`${bodyOf(token)}x`)).toBe("signature_missing");
    expect(checkBody(token)).toBe("signature_missing");
  });
});

describe("a notification", () => {
  const sandbox = { ...settings, environment: "Sandbox" };

  it("is of the hook's app and environment", () => {
    const about = (changed: object) => ({ claims: { data: { ...data, ...changed } } });
    expect(check(about({ bundleId: "com.example.other" }))).toBe("claim_mismatch");
    expect(check(about({ bundleId: undefined }))).toBe("claim_mismatch");
    expect(check(about({ environment: "Sandbox" }))).toBe("claim_mismatch");
    expect(check(about({ environment: undefined }))).toBe("claim_mismatch");
    expect(check({}, atMs, sandbox)).toBe("claim_mismatch");
    expect(check(about({ environment: "Sandbox" }), atMs, sandbox)).toBe("verified");
    expect(check({ claims: { data: undefined } })).toBe("claim_missing");
    expect(check({}, atMs, {})).toBe("setting_missing");
    expect(check({}, atMs, { ...settings, environment: "Xcode" })).toBe("setting_missing");
  });

  it("names its app in data, summary, externalPurchaseToken, or appData", () => {
    const of = (claims: object, at: Readonly<Record<string, string>> = settings) =>
      check({ claims: { data: undefined, ...claims } }, atMs, at);
    expect(of({ summary: data })).toBe("verified");
    expect(of({ appData: data })).toBe("verified");
    const { bundleId } = data;
    const bought = { bundleId, externalPurchaseId: "00000000-0000-0000-0000-000000000000" };
    const tried = { bundleId, externalPurchaseId: "SANDBOX_00000000" };
    expect(of({ externalPurchaseToken: bought })).toBe("verified");
    expect(of({ externalPurchaseToken: tried })).toBe("claim_mismatch");
    expect(of({ externalPurchaseToken: tried }, sandbox)).toBe("verified");
    const other = { ...data, bundleId: "com.example.other" };
    expect(of({ data: other, summary: data })).toBe("claim_mismatch");
  });

  it("is accepted for eight days, and has a time", () => {
    expect(check({}, atMs + 8 * dayMs)).toBe("verified");
    expect(check({}, atMs + 8 * dayMs + 1)).toBe("timestamp_too_old");
    expect(check({}, atMs - 300_001)).toBe("timestamp_in_future");
    for (const signedDate of [undefined, null, "1", 1.5, 1e300])
      expect(check({ claims: { signedDate } })).toBe("timestamp_malformed");
  });

  it("stays one event, however the JSON around its token is written", () => {
    const provider = findProvider("apple-app-store");
    const keyOf = (token: string, body = bodyOf(token), contentType = "application/json") => {
      expect(checkBody(body)).toBe("verified");
      const bytes = Buffer.from(body);
      const batch = provider?.batch ?? null;
      const found = readEvents(
        {
          rules: {
            dedupe: provider?.eventId ?? [],
            eventType: [],
            batch,
            payloadField: null,
            isIdentitySigned: false,
            publish: null,
          },
          isVerified: true,
          headers: {},
          body: bytes,
        },
        { bytes, contentType, payloadField: null, payload: readPayload(bytes, contentType) },
        undefined,
      );
      const [event] = found.invalid === null ? (found.parts ?? []) : [];
      return [event?.eventId, event?.eventType, event?.keyHash?.toString("hex")];
    };
    const token = tokenOf({ claims: { subtype: "BILLING_RECOVERY" } });
    const known = keyOf(token);
    expect(known.slice(0, 2)).toEqual([
      notification.notificationUUID,
      "DID_RENEW.BILLING_RECOVERY",
    ]);
    const again = tokenOf({ claims: { subtype: "BILLING_RECOVERY", signedDate: atMs - 1 } });
    expect(keyOf(again)).toEqual(known);
    expect(keyOf(token, ` { "more": 1, "signedPayload" : "${token}" } `)).toEqual(known);
    expect(keyOf(token, `${bodyOf(token)}\n`, "text/plain")).toEqual(known);
    expect(keyOf(token, `{"signedPayload":"x","signedPayload":"${token}"}`)).toEqual(known);
  });
});

describe("Apple's root", () => {
  it("is the one that Apple publishes", () => {
    const [pinned, ...more] = findPinnedRoots(appleRoot) ?? [];
    expect(more).toEqual([]);
    const certificate = new X509Certificate(appleRootG3);
    expect(certificate.fingerprint256).toBe(
      "63:34:3A:BF:B8:9A:6A:03:EB:B5:7E:9B:3F:5F:A7:BE:7C:4F:5C:75:6F:30:17:B3:A8:C4:88:C3:65:3E:91:79",
    );
    expect(pinned?.key.equals(certificate.publicKey)).toBe(true);
    expect(new Date(pinned?.validToMs ?? 0).toISOString()).toBe("2039-04-30T18:19:06.000Z");
  });

  it("is used where nothing else is given, so an attacker's chain is rejected", () => {
    const request = requestOf({}, bodyOf(tokenOf()));
    const keys = findPinnedRoots;
    expect(outcomeOf("apple-app-store", settings, request, { keys, atMs })).toBe("key_unknown");
  });
});

function longer(certificate: string): string {
  return Buffer.concat([Buffer.from(certificate, "base64"), Buffer.of(0)]).toString("base64");
}
