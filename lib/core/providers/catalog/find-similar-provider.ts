import { countEdits } from "#lib/base/count-edits.ts";
import { listProviders } from "./catalog.ts";

/** The most similar provider id, for typos. Null if none is close. */
export function findSimilarProvider(written: string): string | null {
  const wanted = plain(written);
  if (wanted === "") return null;
  const known = [
    { id: "generic", name: "generic" },
    { id: "custom", name: "custom" },
    ...listProviders(),
  ].map(({ id, name }) => ({ id, spellings: [plain(id), plain(name)] }));
  const same = known.find(({ spellings }) => spellings.includes(wanted));
  if (same !== undefined) return same.id;
  const started =
    wanted.length < 3
      ? undefined
      : known.find(({ spellings }) =>
          spellings.some((text) => isStart(text, wanted) || isStart(wanted, text)),
        );
  const [closest] = known
    .map(({ id, spellings }) => ({
      id,
      distance: Math.min(...spellings.map((text) => countEdits(wanted, text))),
    }))
    .toSorted((one, other) => one.distance - other.distance);
  if (closest !== undefined && closest.distance <= Math.max(1, Math.floor(wanted.length / 3)))
    return closest.id;
  return started?.id ?? null;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function isStart(text: string, start: string): boolean {
  return start.length >= 3 && text.startsWith(start);
}
