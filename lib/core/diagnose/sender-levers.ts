/** The schemes of every other sender of the catalogue, tried with this hook's secret. */
import { listProofHeaders, listProofSources } from "#lib/core/recognise/proof-headers.ts";
import { recogniseSender } from "#lib/core/recognise/recognise-sender.ts";
import { redactionMark } from "#lib/core/redact/redact-text.ts";
import { findSettingProblem } from "#lib/core/verify/code-scheme.ts";
import type { Provider } from "#lib/core/verify/provider.ts";
import { listProviders } from "#lib/core/verify/providers.ts";
import { type Lever, withFix } from "./lever.ts";
import type { Patient } from "./patient.ts";

/** One lever a scheme: senders that sign alike can't be told apart by it, so the one that the delivery looks like is named. */
export function listSenderLevers(patient: Patient): readonly Lever[] {
  const own = JSON.stringify(patient.hook.scheme);
  const groups = new Map<string, Provider[]>();
  for (const provider of listProviders()) {
    const { scheme } = provider;
    // Code does not show in JSON: each is a scheme of its own.
    const key = scheme.kind === "code" ? provider.id : JSON.stringify(scheme);
    if (key === own || provider.scheme === patient.hook.scheme || !carriesProof(provider, patient)) continue;
    groups.set(key, [...(groups.get(key) ?? []), provider]);
  }
  if (groups.size === 0) return [];
  const ranks = new Map(recogniseSender(patient.request).map(({ id }, index) => [id, index]));
  const rank = ({ id }: Provider) => ranks.get(id) ?? Number.POSITIVE_INFINITY;
  const sorted = [...groups.values()].map((group) =>
    group.toSorted((one, other) => compare(rank(one), rank(other))),
  );
  return sorted
    .toSorted(([one], [other]) =>
      compare(one === undefined ? 0 : rank(one), other === undefined ? 0 : rank(other)),
    )
    .flatMap(([first, ...others]) => (first === undefined ? [] : [toLever(first, others)]));
}

function toLever({ id, name, scheme }: Provider, others: readonly Provider[]): Lever {
  const alike = others.length === 0 ? "" : ` ${listNames(others)} would sign in the same way.`;
  return {
    axis: "scheme",
    code: "other_provider",
    sentence: `This was signed the way ${name} signs, with the hook's own secret. Set the hook's provider to ${name}.${alike}`,
    fix: withFix(
      { kind: "change_provider", provider: id },
      `Set the provider to ${name}`,
      `The hook keeps its secret and verifies as ${name} signs. Where its event id and type are read from follows, unless you set that yourself.`,
    ),
    pull: (subject) => ({ ...subject, scheme }),
  };
}

/** Whether what the scheme reads first is there at all; most of the catalogue is ruled out by that. */
function carriesProof(provider: Provider, { request: { headers }, hook }: Patient): boolean {
  const { scheme } = provider;
  if (scheme.kind === "code" && findSettingProblem(scheme.settings, hook.settings) !== null) return false;
  const names = listProofHeaders(provider);
  const isElsewhere = names.length === 0 || listProofSources(scheme).some(({ from }) => from !== "header");
  return (
    isElsewhere || names.some((name) => headers[name] !== undefined && headers[name]?.[0] !== redactionMark)
  );
}

function listNames(providers: readonly Provider[]): string {
  const names = providers.slice(0, 4).map(({ name }) => name);
  const more = providers.length - names.length;
  const last = more > 0 ? `${more} more` : names.pop();
  return names.length === 0 ? `${last}` : `${names.join(", ")} and ${last}`;
}

function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}
