import { AppError } from "#lib/base/errors.ts";

const rowFormats = ["csv", "ndjson"] as const;
export type RowFormat = (typeof rowFormats)[number];

export const mediaTypes: Readonly<Record<RowFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson",
};

type Accepted<Format> = readonly (readonly [range: string, format: Format])[];

const accepted: Accepted<RowFormat> = [
  ["text/csv", "csv"],
  ["application/x-ndjson", "ndjson"],
  ["application/ndjson", "ndjson"],
  ["text/*", "csv"],
  ["application/*", "ndjson"],
  ["*/*", "ndjson"],
];

/** The format that the caller wants most (RFC 9110 §12.5.1). Throws `not_acceptable`. */
export function chooseFormat(accept: string | null): RowFormat {
  const best = chooseAccepted(accept, accepted);
  if (best !== undefined) return best;
  throw new AppError(
    "not_acceptable",
    "An export is CSV or NDJSON. Send the header Accept: text/csv or Accept: application/x-ndjson.",
  );
}

/** The first of the formats that the caller wants most. Undefined: none is wanted. */
export function chooseAccepted<Format>(
  accept: string | null,
  formats: Accepted<Format>,
): Format | undefined {
  const ranges = (accept ?? "*/*").split(",").map(readRange);
  const wanted = formats.flatMap(([range, format]) =>
    ranges.flatMap(({ name, weight }) =>
      name === range && weight > 0 ? [{ format, weight }] : [],
    ),
  );
  // The sort is stable: with equal weights, a name comes before a wildcard.
  return wanted.toSorted((one, other) => other.weight - one.weight)[0]?.format;
}

function readRange(text: string): { readonly name: string; readonly weight: number } {
  const [name = "", ...params] = text.split(";").map((part) => part.trim().toLowerCase());
  const given = params.find((param) => param.startsWith("q="))?.slice(2);
  const weight = given === undefined ? 1 : Number(given);
  return { name, weight: Number.isFinite(weight) ? weight : 0 };
}
