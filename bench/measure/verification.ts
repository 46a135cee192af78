import {
  createHmac,
  createPublicKey,
  sign as signBare,
  timingSafeEqual,
  verify as verifyBare,
} from "node:crypto";
import { makeStripeBody, signStripe, stripeSecret } from "#e2e/harness/stripe-delivery.ts";
import { findProvider, listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { prepareVerifier } from "#lib/core/verify/verify.ts";
import { takesSecret } from "../../lib/core/verify/scheme/missing-parts.ts";
import type { VerifyRequest } from "../../lib/core/verify/scheme/request-view.ts";
import { spoilHeaders } from "../../lib/core/verify/testing/test-malformed.ts";
import {
  sampleKeys,
  sampleRequest,
  sampleSecret,
  sampleSettings,
} from "../../lib/core/verify/testing/test-sample.ts";

/**
 * The interpreter's cost for one provider, beyond the unavoidable cryptography. Microseconds of CPU
 * time.
 */
type KindCost = {
  readonly provider: string;
  readonly kind: string;
  readonly bodyBytes: number;
  readonly microseconds: number;
  /** The same computation, called directly. */
  readonly bareMicroseconds: number;
  readonly ratio: number;
};

export type VerificationCost = {
  /** The first is Stripe with a delivery of 450 bytes. */
  readonly kinds: readonly KindCost[];
  /** The most expensive malformed header of all providers, in milliseconds. */
  readonly worstMalformed: {
    readonly provider: string;
    readonly title: string;
    readonly milliseconds: number;
  };
};

const nowMs = Date.now();

export function measureVerification(): VerificationCost {
  return {
    kinds: [measureStripe(), ...kinds.map(measureKind)],
    worstMalformed: measureMalformed(),
  };
}

const kinds = [
  ["github", "HMAC of the body, hex"],
  ["standard-webhooks", "HMAC of id, time and body, base64"],
  ["hubspot-v1", "digest of a text with the secret"],
  ["mailgun", "HMAC, all of it in the body"],
  ["mandrill", "HMAC of the URL and a sorted form"],
  ["gitlab", "shared value in a header"],
  ["basic-auth", "basic authentication"],
  ["discord", "Ed25519"],
  ["sendgrid", "ECDSA on P-256"],
  ["wise", "RSA, 2048 bits"],
  ["twilio", "code: form or hash of the body"],
  ["livekit", "code: JWT with a hash of the body"],
] as const;

function measureStripe(): KindCost {
  const requests = Array.from({ length: 500 }, (_, index) => {
    const body = makeStripeBody(`evt_verify_${index}`);
    const headers = Object.assign(Object.create(null), {
      "stripe-signature": [signStripe(body, nowMs)],
    });
    return { method: "POST", url: "http://127.0.0.1/catch/main/x", headers, body, query: "" };
  });
  const verify = prepareVerifier({
    scheme: findProvider("stripe")?.scheme,
    secrets: [stripeSecret],
  });
  const [request] = requests;
  if (request === undefined) throw new Error("There is nothing to verify");
  let turn = 0;
  const cost = compare(
    () => {
      turn = (turn + 1) % requests.length;
      mustVerify(verify(requests[turn] ?? request, nowMs));
    },
    bareMac(request.body, stripeSecret),
  );
  return {
    provider: "stripe",
    kind: "HMAC of time and body, hex",
    bodyBytes: request.body.length,
    ...cost,
  };
}

function measureKind([provider, kind]: (typeof kinds)[number]): KindCost {
  const scheme = findProvider(provider)?.scheme;
  if (scheme === undefined) throw new Error(`There is no ${provider}`);
  const secret = sampleSecret(scheme, provider);
  const request = sampleRequest(scheme, secret.signing, nowMs, "x".repeat(400));
  const secrets = takesSecret(scheme) ? [secret.pasted] : [];
  const verify = prepareVerifier({ scheme, secrets, settings: sampleSettings(scheme) });
  const bare =
    scheme.kind === "publicKey"
      ? barePublicKey(scheme.algorithm, secret, request.body)
      : bareMac(request.body, secret.signing);
  const cost = compare(() => mustVerify(verify(request, nowMs, sampleKeys)), bare);
  return { provider, kind, bodyBytes: request.body.length, ...cost };
}

function bareMac(body: Uint8Array, secret: string): () => void {
  const expected = createHmac("sha256", secret).update("1700000000.").update(body).digest();
  return () => {
    const made = createHmac("sha256", secret).update("1700000000.").update(body).digest();
    if (!timingSafeEqual(made, expected)) throw new Error("HMAC differs from itself");
  };
}

function barePublicKey(
  algorithm: string,
  secret: { signing: string; pasted: string },
  body: Uint8Array,
): () => void {
  const key = createPublicKey(secret.pasted);
  const name = algorithm === "ed25519" ? null : "sha256";
  const signature = signBare(name, body, secret.signing);
  return () => {
    if (!verifyBare(name, body, key, signature))
      throw new Error("A genuine signature was rejected");
  };
}

function mustVerify({ outcome }: { readonly outcome: string }): void {
  if (outcome !== "verified") throw new Error("A genuine delivery was rejected");
}

type Compared = Pick<KindCost, "microseconds" | "bareMicroseconds" | "ratio">;

/**
 * Microseconds per call: medians of alternating rounds of 20 ms, after a third of a second to warm
 * up.
 */
function compare(call: () => void, bare: () => void): Compared {
  for (const work of [call, bare]) timeOf(work, 150);
  const rounds = Array.from({ length: 15 }, () => ({
    ours: timeOf(call, 20),
    theirs: timeOf(bare, 20),
  }));
  const microseconds = median(rounds.map(({ ours }) => ours));
  const bareMicroseconds = median(rounds.map(({ theirs }) => theirs));
  return {
    microseconds,
    bareMicroseconds,
    ratio: median(rounds.map(({ ours, theirs }) => ours / theirs)),
  };
}

/** CPU time, which other programs on the machine hardly affect. */
function timeOf(call: () => void, milliseconds: number): number {
  const before = process.cpuUsage();
  let calls = 0;
  let used = 0;
  do {
    for (let again = 0; again < 50; again += 1) call();
    calls += 50;
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  } while (used < milliseconds * 1000);
  return used / calls;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Takes the best of three for each: the work counts, not the machine's pauses. */
function measureMalformed(): VerificationCost["worstMalformed"] {
  let worst = { provider: "", title: "", milliseconds: 0 };
  for (const { id: provider, scheme } of listProviders()) {
    const secret = sampleSecret(scheme, provider);
    const request = sampleRequest(scheme, secret.signing, nowMs);
    const secrets = takesSecret(scheme) ? [secret.pasted] : [];
    const verify = prepareVerifier({ scheme, secrets, settings: sampleSettings(scheme) });
    for (const [title, headers] of spoilHeaders(scheme, request)) {
      const spoiled: VerifyRequest = { ...request, headers };
      const milliseconds = Math.min(
        ...[1, 2, 3].map(() => timeOnce(() => verify(spoiled, nowMs, sampleKeys))),
      );
      if (milliseconds > worst.milliseconds) worst = { provider, title, milliseconds };
    }
  }
  return worst;
}

function timeOnce(call: () => unknown): number {
  const startedAt = performance.now();
  call();
  return performance.now() - startedAt;
}

/** The table of `npm run bench:verify`. */
export function describeVerification({ kinds: costs, worstMalformed }: VerificationCost): string {
  const { provider, title, milliseconds } = worstMalformed;
  return [
    `${"".padEnd(20)}${"".padEnd(36)}${"bytes".padStart(7)}${"µs".padStart(9)}` +
      `${"bare µs".padStart(9)}${"ratio".padStart(7)}`,
    ...costs.map(
      (cost) =>
        `${cost.provider.padEnd(20)}${cost.kind.padEnd(36)}${String(cost.bodyBytes).padStart(7)}${cost.microseconds.toFixed(1).padStart(9)}${cost.bareMicroseconds.toFixed(1).padStart(9)}${cost.ratio.toFixed(2).padStart(7)}`,
    ),
    "",
    `The most expensive malformed header: ${milliseconds.toFixed(2)} ms (${provider}, ${title}).`,
  ].join("\n");
}
