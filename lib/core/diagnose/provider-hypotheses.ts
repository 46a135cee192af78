/** Tries the schemes of all other providers in the catalog with this hook's secret. */

import { listProviders } from "#lib/core/catalog/catalog.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { listProofHeaders, listProofSources } from "#lib/core/recognise/proof-headers.ts";
import { recogniseProvider } from "#lib/core/recognise/recognise-provider.ts";
import { redactionMark } from "#lib/core/redact/redact-text.ts";
import { findSettingProblem } from "#lib/core/verify/scheme/code-scheme.ts";
import type { DiagnosisInput } from "./diagnosis-input.ts";
import { type Hypothesis, withFix } from "./hypothesis.ts";

/**
 * One hypothesis for each scheme. Providers that share it can't be told apart, so it names the one
 * that the delivery looks like.
 */
export function listProviderHypotheses(input: DiagnosisInput): readonly Hypothesis[] {
  const own = JSON.stringify(input.hook.scheme);
  const groups = new Map<string, Provider[]>();
  for (const provider of listProviders()) {
    const { scheme } = provider;
    // Functions disappear in JSON, so each code scheme is its own group.
    const key = scheme.kind === "code" ? provider.id : JSON.stringify(scheme);
    if (key === own || provider.scheme === input.hook.scheme || !carriesProof(provider, input))
      continue;
    groups.set(key, [...(groups.get(key) ?? []), provider]);
  }
  if (groups.size === 0) return [];
  const ranks = new Map(recogniseProvider(input.request).map(({ id }, index) => [id, index]));
  const rank = ({ id }: Provider) => ranks.get(id) ?? Number.POSITIVE_INFINITY;
  const sorted = [...groups.values()].map((group) =>
    group.toSorted((one, other) => compare(rank(one), rank(other))),
  );
  return sorted
    .toSorted(([one], [other]) =>
      compare(one === undefined ? 0 : rank(one), other === undefined ? 0 : rank(other)),
    )
    .flatMap(([first, ...others]) => (first === undefined ? [] : [toHypothesis(first, others)]));
}

function toHypothesis({ id, name, scheme }: Provider, others: readonly Provider[]): Hypothesis {
  const alike = others.length === 0 ? "" : ` The same scheme is used by ${listNames(others)}.`;
  return {
    axis: "scheme",
    code: "other_provider",
    sentence: `The delivery is signed with ${name}'s scheme and the hook's secret. Set the hook's provider to ${name}.${alike}`,
    fix: withFix(
      { kind: "change_provider", provider: id },
      `Set the provider to ${name}`,
      `The hook keeps its secret and verifies deliveries from ${name}. Its event id and type settings change too, unless you customized them.`,
    ),
    apply: (attempt) => ({ ...attempt, scheme }),
  };
}

/** Whether the scheme's signature or token is present. Rules out most of the catalog. */
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
