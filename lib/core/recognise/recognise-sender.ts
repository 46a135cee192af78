/**
 * Who a delivery looks like it is from. A guess for people: it is never applied by itself and proves nothing, since anybody
 * can write any header. Header names are shared by senders, so several clues are weighed and a tie is said to be one.
 */
import type { DistinctHeaders } from "#lib/core/http-types.ts";
import type { Provider } from "#lib/core/verify/provider.ts";
import { listProviders } from "#lib/core/verify/providers.ts";
import type { VerifyRequest } from "#lib/core/verify/request-view.ts";
import { BodyShape } from "./body-shape.ts";
import { fitsFormat } from "./fits-format.ts";
import { bodyMarks, userAgents } from "./marks.ts";
import { listProofHeaders, listProofSources } from "./proof-headers.ts";

export type SenderGuess = {
  readonly id: string;
  readonly name: string;
  /** "it carries the header X-GitHub-Event": what speaks for it, strongest first. */
  readonly why: readonly string[];
  /** Higher is likelier; only to be compared with others of the same delivery. */
  readonly score: number;
};

/** Those with enough in their favour, the likeliest first. The body is read only if it is JSON and small. */
export function recogniseSender(request: Pick<VerifyRequest, "headers" | "body">): readonly SenderGuess[] {
  const shape = new BodyShape(request.body);
  const agent = request.headers["user-agent"]?.[0] ?? "";
  return listProviders()
    .map((provider) => guess(provider, { ...request, shape, agent }))
    .filter(({ score }) => score >= weights.enough)
    .toSorted((one, other) => other.score - one.score || preference(one.id) - preference(other.id));
}

const weights = {
  /** A header that only one sender of the catalogue has. */
  ownHeader: 10,
  sharedHeader: 8,
  agent: 6,
  body: 6,
  /** An event's id or type where this sender has it. */
  field: 1,
  /** A header does; one mark of the body or the User-Agent alone does not. */
  enough: 8,
} as const;

type Seen = Pick<VerifyRequest, "headers" | "body"> & { readonly shape: BodyShape; readonly agent: string };
type Clue = { readonly weight: number; readonly why: string };

function guess(provider: Provider, seen: Seen): SenderGuess {
  const { id, name } = provider;
  const none = { id, name, why: [], score: 0 };
  if (generic.has(id)) return none;
  const proof = judgeProof(provider, seen);
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
  };
}

/** Ways of proving oneself that belong to nobody in particular. */
const generic = new Set(["basic-auth", "bearer"]);

/** In a tie the family's own name goes first: what it verifies, all its members' scheme verifies. */
function preference(id: string): number {
  return id === "standard-webhooks" || id === "svix" ? 0 : 1;
}

/** What speaks for it in the header of its proof; "other" where that header is there and written in another way. */
function judgeProof(provider: Provider, { headers, body }: Seen): readonly Clue[] | "other" {
  const names = listOwnProof(provider).filter((name) => headers[name] !== undefined);
  if (names.length === 0) return [];
  if (!fitsFormat(provider.scheme, { headers, body })) return "other";
  return names.map((name) => toClue(name));
}

/** `Authorization` is everybody's. */
function listOwnProof(provider: Provider): readonly string[] {
  return listProofHeaders(provider).filter((name) => name !== "authorization");
}

/** A signature or token that lies in the body. */
function listBodyProof({ scheme }: Provider, { shape }: Seen): readonly Clue[] {
  return listProofSources(scheme).flatMap((source) =>
    source.from === "body" && shape.read(source.path) !== null
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
  const proof = listOwnProof(provider);
  return listOtherHeaders(provider)
    .filter((name) => headers[name] !== undefined && !proof.includes(name))
    .map((name) => toClue(name));
}

/** Those that it reads beside its proof, but for those that say nothing about who sends. */
function listOtherHeaders({ scheme, eventId, eventType }: Provider): readonly string[] {
  const fields = [...eventId, ...eventType].flatMap((source) =>
    source.from === "header" ? [source.name] : [],
  );
  const signed =
    "signed" in scheme ? [scheme.timestamp?.source, ...Object.values(scheme.signed.values ?? {})] : [];
  const required = "requiredHeaders" in scheme ? (scheme.requiredHeaders ?? []).map(({ name }) => name) : [];
  const read = signed.flatMap((source) => (source?.from === "header" ? [source.name] : []));
  return [...new Set([...fields, ...read, ...required])].filter((name) => !anybodys.has(name));
}

const anybodys = new Set([
  "authorization",
  "idempotency-key",
  "request-id",
  "x-request-id",
  "date",
  "user-agent",
]);

let sharing: Map<string, number> | undefined;

/** By how many different schemes of the catalogue a header is used. Counted once. */
function countUsers(name: string): number {
  if (sharing === undefined) {
    sharing = new Map();
    for (const provider of listProviders()) {
      for (const used of new Set([...listOwnProof(provider), ...listOtherHeaders(provider)])) {
        sharing.set(used, (sharing.get(used) ?? 0) + 1);
      }
    }
  }
  return sharing.get(name) ?? 0;
}

function toClue(name: string): Clue {
  const shown = name.replaceAll(
    /(^|-)([a-z])/g,
    (_, dash: string, letter: string) => dash + letter.toUpperCase(),
  );
  const weight = countUsers(name) > 1 ? weights.sharedHeader : weights.ownHeader;
  return { weight, why: `it carries the header ${shown}` };
}

function listMarks({ id }: Provider, { agent, shape }: Seen): readonly Clue[] {
  const mark = userAgents[id];
  const ofAgent =
    mark?.test(agent) === true ? [{ weight: weights.agent, why: "its User-Agent is that sender's" }] : [];
  const ofBody = (bodyMarks[id] ?? []).flatMap(({ path, is, why }) => {
    const text = shape.read(path);
    return text !== null && is.test(text) ? [{ weight: weights.body, why }] : [];
  });
  return [...ofAgent, ...ofBody];
}

function countFields({ eventId, eventType }: Provider, { shape }: Seen): number {
  const isThere = (sources: Provider["eventId"]) =>
    sources.some((source) => source.from === "body" && shape.read(source.path) !== null);
  return [eventId, eventType].filter(isThere).length;
}
