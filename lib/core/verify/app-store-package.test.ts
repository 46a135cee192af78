/** Apple's own package and our verifier agree about notifications, each under the same test root. */
import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { acceptsNotification } from "./testing/app-store-package.ts";
import { type ChainOptions, makeChain } from "./testing/test-chain.ts";
import { notification, notificationToken, type TokenChanges } from "./testing/test-notification.ts";
import { outcomeOf } from "./testing/test-outcome.ts";
import { requestOf } from "./testing/test-request.ts";

const { data, signedDate: atMs } = notification;
const { bundleId } = data;
const chain = await makeChain();
const attacker = await makeChain();
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

async function verdicts(changes: TokenChanges, trusted = changes.by ?? chain) {
  const body = JSON.stringify({ signedPayload: notificationToken({ by: chain, ...changes }) });
  const theirs = await acceptsNotification(trusted, bundleId, body).then(
    () => true,
    () => false,
  );
  const options = { keys: () => trusted.roots, atMs };
  const outcome = outcomeOf("apple-app-store", { bundleId }, requestOf({}, body), options);
  return { theirs, ours: outcome === "verified" };
}

const [leaf, intermediate, root] = chain.x5c;
const about = (place: string, changed: object = {}) => ({
  claims: { data: undefined, [place]: { ...data, ...changed } },
});
const bought = (externalPurchaseId: string) =>
  about("externalPurchaseToken", { externalPurchaseId });

it.each<[string, TokenChanges]>([
  ["data", {}],
  ["a summary", about("summary")],
  ["appData", about("appData")],
  ["a token of an external purchase", bought("00000000")],
  ["a third certificate that isn't one", { header: { x5c: [leaf, intermediate, "x"] } }],
])("both accept %s", async (_, changes) => {
  expect(await verdicts(changes)).toEqual({ theirs: true, ours: true });
});

it.each<[string, TokenChanges]>([
  ["another app", about("data", { bundleId: "com.example.other" })],
  ["another environment", about("data", { environment: "Sandbox" })],
  ["no app", { claims: { data: undefined } }],
  ["an external purchase in the sandbox", bought("SANDBOX_1")],
  ["two certificates", { header: { x5c: [leaf, intermediate] } }],
  ["four certificates", { header: { x5c: [leaf, intermediate, root, root] } }],
  ["another order", { header: { x5c: [intermediate, leaf, root] } }],
  ["another key", { by: { ...chain, privateKey } }],
  ["no algorithm", { header: { alg: "none" } }],
  ["HS256", { header: { alg: "HS256" } }],
  ["ES384", { header: { alg: "ES384" } }],
])("both reject %s", async (_, changes) => {
  expect(await verdicts(changes, chain)).toEqual({ theirs: false, ours: false });
});

it("both reject an attacker's certificates, even with the right root behind them", async () => {
  expect(await verdicts({ by: attacker }, chain)).toEqual({ theirs: false, ours: false });
  const [otherLeaf, otherIntermediate] = attacker.x5c;
  const header = { x5c: [otherLeaf, otherIntermediate, root] };
  expect(await verdicts({ by: attacker, header }, chain)).toEqual({ theirs: false, ours: false });
});

it.each<[string, ChainOptions]>([
  ["a leaf without Apple's extension", { leafId: null }],
  ["an intermediate without Apple's extension", { intermediateId: null }],
  ["an intermediate that may not issue", { isIntermediateCa: false }],
  ["a leaf that was valid earlier", { leafTo: new Date(atMs - 61_000) }],
  ["a leaf that is valid later", { leafFrom: new Date(atMs + 61_000) }],
  ["a leaf on another curve", { leafCurve: "P-384" }],
])("both reject %s", async (_, options) => {
  const by = await makeChain(options);
  expect(await verdicts({ by })).toEqual({ theirs: false, ours: false });
});
