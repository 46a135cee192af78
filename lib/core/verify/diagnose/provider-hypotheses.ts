/** Tries the schemes of all other providers in the catalog with this hook's secret. */

import { once } from "#lib/base/once.ts";
import { redactionMark } from "#lib/core/people/redact/redact-text.ts";
import { findProvider, listProviders } from "#lib/core/providers/catalog/catalog.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { listProofHeaders, listProofSources } from "#lib/core/verify/recognize/proof-headers.ts";
import {
  type ProviderGuess,
  recognizeProvider,
} from "#lib/core/verify/recognize/recognize-provider.ts";
import { toSuggestion } from "#lib/core/verify/recognize/suggest-provider.ts";
import { findSettingProblem } from "#lib/core/verify/scheme/code-scheme.ts";
import type { MacScheme, Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { describeSchemeChange } from "./describe-scheme-change.ts";
import type { DiagnosisInput } from "./diagnosis-input.ts";
import { type Hypothesis, showHeaderName, withFix } from "./hypothesis.ts";

/**
 * One hypothesis for each scheme. Providers that share a scheme can't be told apart, so it names
 * the one that the delivery looks like. If the delivery clearly comes from a provider that signs in
 * another way, no other provider is named: GitHub with SHA-1 isn't Intercom.
 */
export function listProviderHypotheses(input: DiagnosisInput): readonly Hypothesis[] {
  const own = JSON.stringify(input.hook.scheme);
  const guesses = recognizeProvider(input.request);
  const sender = findClearProvider(guesses);
  const groups = new Map<string, Provider[]>();
  for (const provider of listProviders()) {
    const key = schemeKeys().get(provider.id) ?? provider.id;
    if (key === own || provider.scheme === input.hook.scheme || !carriesProof(provider, input))
      continue;
    const saysLittle = triesText(provider) || isUndecoded(provider, input.hook.scheme);
    if (saysLittle && sender?.id !== provider.id) continue;
    groups.set(key, [...(groups.get(key) ?? []), provider]);
  }
  if (groups.size === 0) return [];
  const ranks = new Map(guesses.map(({ id }, index) => [id, index]));
  const rank = ({ id }: Provider) => ranks.get(id) ?? Number.POSITIVE_INFINITY;
  const sorted = [...groups.values()].map((group) =>
    group.toSorted((one, other) => compare(rank(one), rank(other))),
  );
  return sorted
    .toSorted(([one], [other]) =>
      compare(one === undefined ? 0 : rank(one), other === undefined ? 0 : rank(other)),
    )
    .flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const isClearProvider = [first, ...others].some(({ id }) => id === sender?.id);
      return sender === null || isClearProvider
        ? [toHypothesis(first, others)]
        : [toUnusualHypothesis(first, sender, input)];
    });
}

/** The key is the same for providers with the same scheme. */
const schemeKeys = once(
  () =>
    new Map(
      listProviders().map(({ id, scheme }) => {
        // Functions disappear in JSON, so each code scheme is its own group.
        return [id, scheme.kind === "code" ? id : JSON.stringify(scheme)];
      }),
    ),
);

/** The provider that the delivery clearly comes from. */
function findClearProvider(guesses: readonly ProviderGuess[]): Provider | null {
  const suggestion = toSuggestion(guesses);
  return suggestion?.isClear === true ? (findProvider(suggestion.id) ?? null) : null;
}

/** It takes a secret decoded and as text, so a match doesn't tell it from Standard Webhooks. */
function triesText({ scheme }: Provider): boolean {
  return "secret" in scheme && scheme.secret.orText === true;
}

/**
 * The hook's scheme with the key as text. If it matches, the key wasn't decoded, no matter who sent
 * the request.
 */
function isUndecoded({ scheme }: Provider, own: unknown): boolean {
  const { kind, secret, headerAlias } = (own ?? {}) as Partial<MacScheme>;
  if (scheme.kind !== "mac" || kind !== "mac" || secret?.decode !== "base64") return false;
  const areStandard = headerAlias !== undefined && scheme.headerAlias !== undefined;
  return areStandard && scheme.secret.decode === "utf8";
}

/** A match with the scheme of a provider that isn't the sender. */
function toUnusualHypothesis(
  { scheme }: Provider,
  sender: Provider,
  { hook, request: { headers } }: DiagnosisInput,
): Hypothesis {
  const base = hook.scheme as Scheme;
  const words =
    base.kind === "mac" && scheme.kind === "mac" ? describeSchemeChange(base, scheme).words : null;
  const absent = listProofHeaders(sender).find((name) => headers[name] === undefined);
  const advice =
    absent === undefined
      ? "Update the hook's scheme."
      : `${sender.name} signs in the header ${showHeaderName(absent)}, which is missing: ` +
        "check that nothing in between drops it, or update the hook's scheme.";
  const how = words === null ? "in another way than the hook expects" : `differently: ${words}`;
  return {
    axis: "scheme",
    code: "other_scheme",
    sentence:
      `The delivery looks like one from ${sender.name} and is signed ` +
      `with the hook's secret, but ${how}. ${advice}`,
    fix:
      scheme.kind === "code"
        ? null
        : withFix(
            { kind: "change_verification", verification: scheme },
            "Change the hook's scheme",
            "The hook keeps its secret and other settings. Its provider becomes Custom, " +
              `with the matching scheme${words === null ? "" : `: ${words}`}.`,
          ),
    apply: (attempt) => ({ ...attempt, scheme }),
  };
}

function toHypothesis({ id, name, scheme }: Provider, others: readonly Provider[]): Hypothesis {
  const alike = others.length === 0 ? "" : ` The same scheme is used by ${listNames(others)}.`;
  return {
    axis: "scheme",
    code: "other_provider",
    sentence:
      `The delivery is signed with ${name}'s scheme and the hook's ` +
      `secret. Set the hook's provider to ${name}.${alike}`,
    fix: withFix(
      { kind: "change_provider", provider: id },
      `Set the provider to ${name}`,
      `The hook keeps its secret and verifies deliveries from ${name}. Its event ` +
        "id and type settings change too, unless you customized them.",
    ),
    apply: (attempt) => ({ ...attempt, scheme }),
  };
}

/** True if the scheme's signature or token is present. Rules out most of the catalog. */
function carriesProof(provider: Provider, { request: { headers }, hook }: DiagnosisInput): boolean {
  const { scheme } = provider;
  if (scheme.kind === "code" && findSettingProblem(scheme.settings, hook.settings) !== null)
    return false;
  const names = listProofHeaders(provider);
  const isElsewhere =
    names.length === 0 || listProofSources(scheme).some(({ from }) => from !== "header");
  return (
    isElsewhere ||
    names.some((name) => headers[name] !== undefined && headers[name]?.[0] !== redactionMark)
  );
}

function listNames(providers: readonly Provider[]): string {
  const names = providers.slice(0, 4).map(({ name }) => name);
  const more = providers.length - names.length;
  const last = more > 0 ? `${more} more` : names.pop();
  return names.length === 0
    ? `${last}`
    : `${names.join(", ")}${names.length > 1 ? "," : ""} and ${last}`;
}

function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}
