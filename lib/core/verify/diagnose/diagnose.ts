import { once } from "#lib/base/once.ts";
import { isVerifyFailure } from "#lib/core/verify/scheme/failure.ts";

/**
 * Explains why a delivery was rejected. It undoes common mistakes offline, one at a time and then
 * in likely pairs, and verifies each result with the catch path's verifier. A match is proof, not a
 * guess.
 */

import { redactionMark } from "#lib/core/people/redact/redact-text.ts";
import { listProofHeaders } from "#lib/core/verify/recognize/proof-headers.ts";
import { isCodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { compileScheme } from "#lib/core/verify/scheme/scheme.ts";
import { listBodyHypotheses, listRewritings } from "./body-hypotheses.ts";
import { describeTime } from "./describe-time.ts";
import type { Diagnosis, Finding } from "./diagnosis.ts";
import type { DiagnosisInput, VerificationAttempt } from "./diagnosis-input.ts";
import { explainRejection } from "./explain-rejection.ts";
import { findClues, suggestNext, triedHypotheses } from "./find-clues.ts";
import { listHeaderHypotheses } from "./header-hypotheses.ts";
import { findHiddenCredential } from "./hidden-credential.ts";
import type { Hypothesis } from "./hypothesis.ts";
import { listProviderHypotheses } from "./provider-hypotheses.ts";
import { listSchemeHypotheses } from "./scheme-hypotheses.ts";
import { listForeignSecretHypotheses, listSecretHypotheses } from "./secret-hypotheses.ts";
import { listUrlHypotheses } from "./url-hypotheses.ts";
import { limits, VerificationBudget } from "./verification-budget.ts";

/** Never throws, whatever the bytes. */
export function diagnose(input: DiagnosisInput): Diagnosis {
  const steps = diagnoseStepwise(input);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Yields after each variant, so that the caller can let other work run in between. */
export function* diagnoseStepwise(input: DiagnosisInput): Generator<void, Diagnosis> {
  if (!input.wasRejected) return newDiagnosis("not_failed", []);
  if (!isVerifyFailure(input.reason)) return newDiagnosis("explained", [explainRejection(input)]);
  const attempt = toAttempt(input);
  if ("finding" in attempt) return newDiagnosis("explained", [attempt.finding]);

  const budget = new VerificationBudget();
  const found = yield* explain(input, attempt.attempt, budget);
  if (found !== null) return newDiagnosis("explained", found, budget);
  const clues = findClues(input);
  const triedWhat = budget.tried > 1 ? triedHypotheses : null;
  return {
    ...newDiagnosis("unexplained", clues, budget),
    triedWhat,
    next: suggestNext(input, clues),
  };
}

function newDiagnosis(
  verdict: Diagnosis["verdict"],
  findings: readonly Finding[],
  budget?: VerificationBudget,
): Diagnosis {
  return {
    verdict,
    findings,
    tried: budget?.tried ?? 0,
    isComplete: budget?.isComplete ?? true,
    triedWhat: null,
    next: null,
  };
}

/** The current hook and the stored delivery, or a finding that ends the diagnosis early. */
function toAttempt({
  hook,
  secrets,
  request,
}: DiagnosisInput): { attempt: VerificationAttempt } | { finding: Finding } {
  const certain = { confidence: "certain", fix: null } as const;
  if (hook.provider === "generic") {
    const sentence =
      "The hook no longer verifies deliveries: verification was turned off after this " +
      "one was rejected. Accept and run it, or resend it from the provider.";
    return { finding: { ...certain, code: "verifies_nothing_now", sentence } };
  }
  const active = secrets.filter(({ expiredAtMs }) => expiredAtMs === null).map(({ text }) => text);
  const rest = { secrets: active, settings: hook.settings, request };
  if (isCodeScheme(hook.scheme)) return { attempt: { ...rest, scheme: hook.scheme } };
  const compiled = compileScheme(hook.scheme);
  if (compiled === null) {
    const sentence =
      "This version of Catchment doesn't know the hook's verification, so the " +
      "hook rejects everything. Choose the hook's provider again.";
    return { finding: { ...certain, code: "refused_otherwise", sentence } };
  }
  return { attempt: { ...rest, scheme: compiled.scheme } };
}

function* explain(
  input: DiagnosisInput,
  attempt: VerificationAttempt,
  budget: VerificationBudget,
): Generator<void, readonly Finding[] | null> {
  const atMs = input.receivedAtMs;
  if (findHiddenCredential(input) !== null) return null;
  if (budget.matches(attempt, atMs)) return [describeTime(input, attempt, budget) ?? verifiesNow];
  yield;

  if (!mayCarryProof(input)) return null;
  const hypotheses = listHypotheses(input);
  for (const hypothesis of listSingles(hypotheses)) {
    if (budget.isSpent) return null;
    const changed = hypothesis?.apply(attempt) ?? null;
    if (hypothesis !== null && changed !== null && budget.matches(changed, atMs)) {
      return toDiagnosis(input, [hypothesis], changed, budget);
    }
    yield;
  }
  for (const pair of listPairs(hypotheses, input)) {
    if (budget.isSpent) return null;
    const changed = pair === null ? null : applyBoth(pair, attempt);
    if (pair !== null && changed !== null && budget.matches(changed, atMs)) {
      return toDiagnosis(input, pair, changed, budget);
    }
    yield;
  }
  return null;
}

/** False if nothing in the request could be a signature or token. Then there is nothing to try. */
function mayCarryProof({
  request: { headers, body, query },
  hook: { scheme },
}: DiagnosisInput): boolean {
  const isProof = ([name, values]: [string, readonly string[] | undefined]) =>
    values?.some(
      (value) => value !== redactionMark && (named.test(name) || /[A-Za-z0-9+/_]{24}/.test(value)),
    );
  if (Object.entries(headers).some(isProof)) return true;
  if (listProofHeaders({ scheme }).some((name) => headers[name] !== undefined)) return true;
  const start = Buffer.from(body.subarray(0, 4096)).toString("latin1");
  return named.test(query) || /(?:^|["&])[^"&=]{0,40}(?:sign|token|passcode)/i.test(start);
}

const named = /sign|hmac|digest|hash|token|auth|key|-sig/i;

function applyBoth(
  [one, other]: readonly [Hypothesis, Hypothesis],
  attempt: VerificationAttempt,
): VerificationAttempt | null {
  const first = one.apply(attempt);
  return first === null ? null : other.apply(first);
}

const verifiesNow: Finding = {
  code: "verifies_now",
  sentence:
    "This delivery verifies with the hook's current settings, which changed after it " +
    "was rejected. Accept and run it, or resend it from the provider.",
  confidence: "certain",
  fix: null,
};

function toDiagnosis(
  input: DiagnosisInput,
  hypotheses: readonly Hypothesis[],
  changed: VerificationAttempt,
  budget: VerificationBudget,
): readonly Finding[] {
  const findings = hypotheses.map(
    ({ code, sentence, fix }, index): Finding => ({
      code,
      sentence:
        hypotheses.length > 1 && index === 0 ? `There are two problems. ${sentence}` : sentence,
      confidence: "certain",
      fix,
    }),
  );
  const time = describeTime(input, changed, budget);
  return time === null ? findings : [...findings, time];
}

/** Created on first use: the first few explain most deliveries. */
type Hypotheses = Readonly<
  Record<
    "secrets" | "providers" | "foreign" | "schemes" | "headers" | "urls" | "bodies",
    () => readonly Hypothesis[]
  >
> & {
  /** Not cached: together they are a hundred times the body. */
  readonly rewritings: () => Iterable<Hypothesis | null>;
};

function listHypotheses(input: DiagnosisInput): Hypotheses {
  return {
    secrets: once(() => listSecretHypotheses(input)),
    providers: once(() => listProviderHypotheses(input)),
    foreign: once(() => listForeignSecretHypotheses(input)),
    schemes: once(() => listSchemeHypotheses(input)),
    headers: once(() => listHeaderHypotheses(input)),
    urls: once(() => listUrlHypotheses(input)),
    bodies: once(() => listBodyHypotheses(input)),
    rewritings: () => listRewritings(input),
  };
}

/** Most likely first, since the first match wins. Null lets the caller pause. */
function* listSingles(hypotheses: Hypotheses): Generator<Hypothesis | null> {
  yield* hypotheses.secrets();
  yield* hypotheses.headers();
  yield* hypotheses.providers();
  yield* hypotheses.foreign();
  yield* hypotheses.urls();
  yield* hypotheses.bodies();
  yield* hypotheses.schemes().slice(0, simpleSchemes);
  yield* hypotheses.rewritings();
  yield* hypotheses.schemes().slice(simpleSchemes);
}

/** The number of schemes with the fewest differences that are tried early, and in pairs. */
const simpleSchemes = 60;

function* listPairs(
  hypotheses: Hypotheses,
  { request }: DiagnosisInput,
): Generator<readonly [Hypothesis, Hypothesis] | null> {
  const [secrets, headers, urls, bodies] = [
    hypotheses.secrets(),
    hypotheses.headers(),
    hypotheses.urls(),
    hypotheses.bodies(),
  ];
  const schemes = [...hypotheses.providers(), ...hypotheses.schemes().slice(0, simpleSchemes)];
  yield* multiply(secrets, schemes);
  yield* multiply(secrets, urls);
  yield* multiply(secrets, bodies);
  yield* multiply(headers, secrets);
  yield* multiply(headers, schemes);
  yield* multiply(headers, bodies);
  yield* multiply(schemes, bodies);
  yield* multiply(urls, bodies);
  if (request.body.byteLength > limits.maxPairedBytes) return;
  const rewritings: Hypothesis[] = [];
  for (const rewriting of hypotheses.rewritings()) {
    if (rewriting !== null) rewritings.push(rewriting);
    yield null;
  }
  yield* multiply(secrets, rewritings);
  yield* multiply(schemes.slice(0, 24), rewritings);
  yield* multiply(headers, rewritings);
}

function* multiply(
  ones: readonly Hypothesis[],
  others: readonly Hypothesis[],
): Generator<readonly [Hypothesis, Hypothesis]> {
  for (const one of ones) for (const other of others) yield [one, other];
}
