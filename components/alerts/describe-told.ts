import { kindWords } from "#components/problems/problem-words.ts";
import type { ProblemKind } from "#lib/schema/watch/problem.ts";

/** The part of a rule that says whom it tells about what. */
export type ToldRule = {
  readonly kind: ProblemKind;
  readonly enabled: boolean;
  readonly channelIds: readonly string[];
};

const maxNamed = 2;

/** The problems that a channel is told about, in a few words. Null: none. */
export function describeTold(channelId: string, rules: readonly ToldRule[]): string | null {
  const own = rules.filter(({ enabled, channelIds }) => enabled && channelIds.includes(channelId));
  const kinds = [...new Set(own.map(({ kind }) => kind))];
  if (kinds.length === 0) return null;
  if (kinds.length === Object.keys(kindWords).length) return "All problems";
  const more = kinds.length - maxNamed;
  const named = kinds.slice(0, maxNamed).map((kind) => kindWords[kind]);
  return `${named.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
