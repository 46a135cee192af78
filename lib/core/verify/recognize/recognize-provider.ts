/**
 * Guesses which provider sent a delivery. Only a suggestion, never applied automatically: anyone
 * can set any header. Providers share header names, so several clues are weighed.
 */

import { once } from "#lib/base/once.ts";
import type { DistinctHeaders } from "#lib/core/api/http/http-types.ts";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { BodyShape } from "./body-shape.ts";
import { fitsFormat } from "./fits-format.ts";
import { listProofHeaders, listProofSources } from "./proof-headers.ts";

export type ProviderGuess = {
  readonly id: string;
  readonly name: string;
  /** Reasons, strongest first: "it has the header X-GitHub-Event". */
  readonly why: readonly string[];
  /** Higher is likelier. Compare only scores of the same delivery. */
  readonly score: number;
  /** False if a single weak mark is the only reason: many systems name things alike. */
  readonly isStrong: boolean;
};

/** Providers with a high enough score, most likely first. Reads only small bodies. */
export function recognizeProvider(
  request: Pick<VerifyRequest, "headers" | "body">,
): readonly ProviderGuess[] {
  const shape = new BodyShape(request.body);
  const agent = request.headers["user-agent"]?.[0] ?? "";
  return listProviders()
    .map((provider) => guess(provider, { ...request, shape, agent }))
    .filter(({ score }) => score >= weights.enough)
    .toSorted((one, other) => other.score - one.score || preference(one.id) - preference(other.id));
}

const weights = {
  /** A header that only one provider in the catalog has. */
  ownHeader: 10,
  sharedHeader: 8,
  agent: 6,
  body: 6,
  /** A body that only one provider sends. */
  sure: 10,
  /** An event id or type where the provider puts it. */
  field: 1,
  /**
   * The score that is enough. A header is enough, and so is a sure body mark. Other body marks or
   * the User-Agent alone are not.
   */
  enough: 8,
} as const;

type Seen = Pick<VerifyRequest, "headers" | "body"> & {
  readonly shape: BodyShape;
  readonly agent: string;
};
type Clue = { readonly weight: number; readonly why: string };

function guess(provider: Provider, seen: Seen): ProviderGuess {
  const { id, name } = provider;
  const none = { id, name, why: [], score: 0, isStrong: false };
  if (generic.has(id)) return none;
  const proof = matchProof(provider, seen);
  if (proof === "other") return none;
  const clues = [
    ...proof,
    ...listBodyProof(provider, seen),
    ...listHeaderClues(provider, seen.headers),
    ...listMarks(provider, seen),
  ];
  if (clues.length === 0) return none;
  const found = clues.toSorted((one, other) => other.weight - one.weight);
  const fields = countFields(provider, seen);
  return {
    id,
    name,
    why: [...new Set(found.map(({ why }) => why))],
    score: found.reduce((sum, { weight }) => sum + weight, fields * weights.field),
    isStrong: found.length > 1 || found.some(({ weight }) => weight >= weights.enough),
  };
}

/** Authentication methods that don't point to a provider. */
const generic = new Set(["basic-auth", "bearer"]);

/**
 * In a tie, the provider that is named for the scheme family comes first, since it verifies all its
 * members.
 */
function preference(id: string): number {
  return id === "standard-webhooks" || id === "svix" ? 0 : 1;
}

/** Clues from the signature header. "other" if the header is present in another format. */
function matchProof(provider: Provider, { headers, body }: Seen): readonly Clue[] | "other" {
  const names = headersOf(provider).proof.filter((name) => headers[name] !== undefined);
  if (names.length === 0) return [];
  if (!fitsFormat(provider.scheme, { headers, body })) return "other";
  return names.map((name) => toClue(name));
}

type OwnHeaders = { readonly proof: readonly string[]; readonly others: readonly string[] };

const ownHeaders = new WeakMap<Provider, OwnHeaders>();

/**
 * The headers that identify a provider. They are kept, because listing them took longer than
 * looking for them.
 */
function headersOf(provider: Provider): OwnHeaders {
  const known = ownHeaders.get(provider);
  if (known !== undefined) return known;
  const proof = listOwnProof(provider);
  const others = listOtherHeaders(provider).filter((name) => !proof.includes(name));
  const listed = { proof, others };
  ownHeaders.set(provider, listed);
  return listed;
}

/** The provider's own signature headers. Excludes `Authorization`, which many providers use. */
function listOwnProof(provider: Provider): readonly string[] {
  return listProofHeaders(provider).filter((name) => name !== "authorization");
}

/** A signature or token in the body. */
function listBodyProof({ scheme }: Provider, { shape }: Seen): readonly Clue[] {
  return listProofSources(scheme).flatMap((source) =>
    source.from === "body" && shape.read(source.path.replaceAll("*", "0")) !== null
      ? [
          {
            weight: source.path.includes(".") ? weights.sharedHeader : weights.body,
            why: `its body has the field ${source.path}`,
          },
        ]
      : [],
  );
}

function listHeaderClues(provider: Provider, headers: DistinctHeaders): readonly Clue[] {
  return headersOf(provider)
    .others.filter((name) => headers[name] !== undefined)
    .map((name) => toClue(name));
}

/** Other headers that the provider sets, except generic ones. */
function listOtherHeaders({ scheme, eventId, eventType }: Provider): readonly string[] {
  const fields = [...eventId, ...eventType].flatMap((source) =>
    source.from === "header" ? [source.name] : [],
  );
  const signed =
    "signed" in scheme
      ? [scheme.timestamp?.source, ...Object.values(scheme.signed.values ?? {})]
      : [];
  const required =
    "requiredHeaders" in scheme ? (scheme.requiredHeaders ?? []).map(({ name }) => name) : [];
  const read = signed.flatMap((source) => (source?.from === "header" ? [source.name] : []));
  return [...new Set([...fields, ...read, ...required])].filter(
    (name) => !genericHeaders.has(name),
  );
}

const genericHeaders = new Set([
  "authorization",
  "idempotency-key",
  "request-id",
  "x-request-id",
  "date",
  "user-agent",
]);

/** The number of providers in the catalog that use a header. */
const countUsers = once(() => {
  const users = new Map<string, number>();
  for (const provider of listProviders()) {
    const { proof, others } = headersOf(provider);
    for (const used of new Set([...proof, ...others])) users.set(used, (users.get(used) ?? 0) + 1);
  }
  return users;
});

function toClue(name: string): Clue {
  const shown = name.replaceAll(
    /(^|-)([a-z])/g,
    (_, dash: string, letter: string) => dash + letter.toUpperCase(),
  );
  const weight = (countUsers().get(name) ?? 0) > 1 ? weights.sharedHeader : weights.ownHeader;
  return { weight, why: `it has the header ${shown}` };
}

function listMarks({ marks }: Provider, { agent, shape }: Seen): readonly Clue[] {
  const ofAgent =
    marks?.userAgent?.test(agent) === true
      ? [{ weight: weights.agent, why: "its User-Agent matches" }]
      : [];
  const ofBody = (marks?.body ?? []).flatMap(({ path, is, why, isSure }) => {
    const text = shape.read(path);
    return text !== null && is.test(text)
      ? [{ weight: isSure ? weights.sure : weights.body, why }]
      : [];
  });
  return [...ofAgent, ...ofBody];
}

function countFields({ eventId, eventType }: Provider, { shape }: Seen): number {
  const isThere = (sources: Provider["eventId"]) =>
    sources.some((source) => source.from === "body" && shape.read(source.path) !== null);
  return [eventId, eventType].filter(isThere).length;
}
