/**
 * The doctor: why a delivery was refused. It undoes, offline, what people get wrong, one thing at a time and then sensible
 * pairs, and lets the interpreter of the catch path say whether the signature fits now. What fits is proof and no guess.
 */

import { listProofHeaders } from "#lib/core/recognise/proof-headers.ts";
import { redactionMark } from "#lib/core/redact/redact-text.ts";
import { isCodeScheme } from "#lib/core/verify/code-scheme.ts";
import { compileScheme } from "#lib/core/verify/scheme.ts";
import { listBodyLevers, listRewritings } from "./body-levers.ts";
import { describeTime } from "./describe-time.ts";
import type { Diagnosis, Finding } from "./diagnosis.ts";
import { explainRefusal, isVerificationFailure } from "./explain-refusal.ts";
import { describeTrial, findClues, suggestNext } from "./find-clues.ts";
import { listHeaderLevers } from "./header-levers.ts";
import { findHiddenCredential } from "./hidden-credential.ts";
import { type Lever, once } from "./lever.ts";
import type { Case, Patient } from "./patient.ts";
import { listSchemeLevers } from "./scheme-levers.ts";
import { listForeignSecretLevers, listSecretLevers } from "./secret-levers.ts";
import { listSenderLevers } from "./sender-levers.ts";
import { bounds, Trial } from "./trial.ts";
import { listUrlLevers } from "./url-levers.ts";

/** All at once. Never throws, whatever the bytes. */
export function diagnose(patient: Patient): Diagnosis {
  const steps = diagnoseStepwise(patient);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** The same, stopping after each variant, so that whoever runs it can let others work in between. */
export function* diagnoseStepwise(patient: Patient): Generator<void, Diagnosis> {
  if (!patient.wasRefused) return answer("not_failed", []);
  if (!isVerificationFailure(patient.reason)) return answer("explained", [explainRefusal(patient)]);
  const subject = toCase(patient);
  if ("finding" in subject) return answer("explained", [subject.finding]);

  const trial = new Trial();
  const found = yield* explain(patient, subject.case, trial);
  if (found !== null) return answer("explained", found, trial);
  const clues = findClues(patient);
  const triedWhat = trial.tried > 1 ? describeTrial : null;
  return { ...answer("unexplained", clues, trial), triedWhat, next: suggestNext(patient, clues) };
}

function answer(verdict: Diagnosis["verdict"], findings: readonly Finding[], trial?: Trial): Diagnosis {
  return {
    verdict,
    findings,
    tried: trial?.tried ?? 0,
    isComplete: trial?.isComplete ?? true,
    triedWhat: null,
    next: null,
  };
}

/** The hook as it is now and the delivery as it is stored; or the finding that makes trying pointless. */
function toCase({ hook, secrets, request }: Patient): { case: Case } | { finding: Finding } {
  const certain = { confidence: "certain", fix: null } as const;
  if (hook.provider === "generic") {
    const sentence =
      "The hook verifies nothing any more: it was set to take what anybody sends after this was refused. Let the sender send it again.";
    return { finding: { ...certain, code: "verifies_nothing_now", sentence } };
  }
  const active = secrets.filter(({ expiredAtMs }) => expiredAtMs === null).map(({ text }) => text);
  const rest = { secrets: active, settings: hook.settings, request };
  if (isCodeScheme(hook.scheme)) return { case: { ...rest, scheme: hook.scheme } };
  const compiled = compileScheme(hook.scheme);
  if (compiled === null) {
    const sentence =
      "The hook's verification is not known to this version of the program, so it refuses everything. Choose the hook's provider again.";
    return { finding: { ...certain, code: "refused_otherwise", sentence } };
  }
  return { case: { ...rest, scheme: compiled.scheme } };
}

function* explain(patient: Patient, subject: Case, trial: Trial): Generator<void, readonly Finding[] | null> {
  const atMs = patient.receivedAtMs;
  if (findHiddenCredential(patient) !== null) return null;
  if (trial.fits(subject, atMs)) return [describeTime(patient, subject, trial) ?? verifiesNow];
  yield;

  if (!mayCarryProof(patient)) return null;
  const levers = listLevers(patient);
  for (const lever of listSingles(levers)) {
    if (trial.isSpent) return null;
    const changed = lever?.pull(subject) ?? null;
    if (lever !== null && changed !== null && trial.fits(changed, atMs)) {
      return conclude(patient, [lever], changed, trial);
    }
    yield;
  }
  for (const pair of listPairs(levers, patient)) {
    if (trial.isSpent) return null;
    const changed = pair === null ? null : pullBoth(pair, subject);
    if (pair !== null && changed !== null && trial.fits(changed, atMs)) {
      return conclude(patient, pair, changed, trial);
    }
    yield;
  }
  return null;
}

/** Whether there is anything that could be a signature or token: without it nothing has to be tried. */
function mayCarryProof({ request: { headers, body, query }, hook: { provider, scheme } }: Patient): boolean {
  const isProof = ([name, values]: [string, readonly string[] | undefined]) =>
    values?.some(
      (value) => value !== redactionMark && (named.test(name) || /[A-Za-z0-9+/_]{24}/.test(value)),
    );
  if (Object.entries(headers).some(isProof)) return true;
  if (listProofHeaders({ id: provider, scheme }).some((name) => headers[name] !== undefined)) return true;
  const start = Buffer.from(body.subarray(0, 4096)).toString("latin1");
  return named.test(query) || /"[^"]{0,40}(?:sign|token|passcode)/i.test(start);
}

const named = /sign|hmac|digest|hash|token|auth|key|-sig/i;

function pullBoth([one, other]: readonly [Lever, Lever], subject: Case): Case | null {
  const first = one.pull(subject);
  return first === null ? null : other.pull(first);
}

const verifiesNow: Finding = {
  code: "verifies_now",
  sentence:
    "With the hook's present settings this delivery verifies: it was refused before they were changed. Let the sender send it again.",
  confidence: "certain",
  fix: null,
};

function conclude(
  patient: Patient,
  levers: readonly Lever[],
  changed: Case,
  trial: Trial,
): readonly Finding[] {
  const findings = levers.map(
    ({ code, sentence, fix }, index): Finding => ({
      code,
      sentence: levers.length > 1 && index === 0 ? `Two things are wrong at once. ${sentence}` : sentence,
      confidence: "certain",
      fix,
    }),
  );
  const time = describeTime(patient, changed, trial);
  return time === null ? findings : [...findings, time];
}

/** Made when they are first needed: most deliveries are explained by the first few. */
type Levers = Readonly<
  Record<
    "secrets" | "senders" | "foreign" | "schemes" | "headers" | "urls" | "bodies",
    () => readonly Lever[]
  >
> & {
  /** Not kept: together they are a hundred times the body. */
  readonly rewritings: () => Iterable<Lever | null>;
};

function listLevers(patient: Patient): Levers {
  return {
    secrets: once(() => listSecretLevers(patient)),
    senders: once(() => listSenderLevers(patient)),
    foreign: once(() => listForeignSecretLevers(patient)),
    schemes: once(() => listSchemeLevers(patient)),
    headers: once(() => listHeaderLevers(patient)),
    urls: once(() => listUrlLevers(patient)),
    bodies: once(() => listBodyLevers(patient)),
    rewritings: () => listRewritings(patient),
  };
}

/** In order of likelihood: where two explain the same, the first is said. Null: a moment to stop at. */
function* listSingles(levers: Levers): Generator<Lever | null> {
  yield* levers.secrets();
  yield* levers.headers();
  yield* levers.senders();
  yield* levers.foreign();
  yield* levers.urls();
  yield* levers.bodies();
  yield* levers.schemes().slice(0, simpleSchemes);
  yield* levers.rewritings();
  yield* levers.schemes().slice(simpleSchemes);
}

/** So many of the schemes with the fewest differences come early and in pairs. */
const simpleSchemes = 60;

function* listPairs(levers: Levers, { request }: Patient): Generator<readonly [Lever, Lever] | null> {
  const [secrets, headers, urls, bodies] = [
    levers.secrets(),
    levers.headers(),
    levers.urls(),
    levers.bodies(),
  ];
  const schemes = [...levers.senders(), ...levers.schemes().slice(0, simpleSchemes)];
  yield* multiply(secrets, schemes);
  yield* multiply(secrets, urls);
  yield* multiply(secrets, bodies);
  yield* multiply(headers, secrets);
  yield* multiply(headers, schemes);
  yield* multiply(headers, bodies);
  yield* multiply(schemes, bodies);
  yield* multiply(urls, bodies);
  if (request.body.byteLength > bounds.pairedBytes) return;
  const rewritings: Lever[] = [];
  for (const rewriting of levers.rewritings()) {
    if (rewriting !== null) rewritings.push(rewriting);
    yield null;
  }
  yield* multiply(secrets, rewritings);
  yield* multiply(schemes.slice(0, 24), rewritings);
  yield* multiply(headers, rewritings);
}

function* multiply(ones: readonly Lever[], others: readonly Lever[]): Generator<readonly [Lever, Lever]> {
  for (const one of ones) for (const other of others) yield [one, other];
}
