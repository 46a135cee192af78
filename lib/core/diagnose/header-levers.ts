/** What can have become of the signature's own header: another name, another letter case, sent twice, joined, quoted. */
import type { Scheme } from "#lib/core/verify/scheme.ts";
import { type Lever, showHeaderName } from "./lever.ts";
import type { Case, Patient } from "./patient.ts";

export function listHeaderLevers(patient: Patient): readonly Lever[] {
  const { headers } = patient.request;
  return listReadHeaders(patient.hook.scheme as Scheme | null).flatMap((name) => {
    const values = headers[name] ?? [];
    if (values.length === 0) return listRenamed(name, headers);
    return [...listRepeated(name, values), ...values.flatMap((value) => listAltered(name, value))];
  });
}

/** The headers that a scheme's signature, time and id come in. Of a scheme that isn't one: none. */
export function listReadHeaders(scheme: Scheme | null): readonly string[] {
  if (typeof scheme !== "object" || scheme === null || !("signature" in scheme)) return [];
  const { signature, timestamp, signed } = scheme;
  const sources = [...signature.sources, timestamp?.source, ...Object.values(signed.values ?? {})];
  return [...new Set(sources.flatMap((source) => (source?.from === "header" ? [source.name] : [])))];
}

function listRepeated(name: string, values: readonly string[]): readonly Lever[] {
  const shown = showHeaderName(name);
  const apart = values.length > 1 ? values : (values[0] ?? "").split(/,\s+/);
  if (apart.length < 2 || apart.length > 10) return [];
  const how =
    values.length > 1 ? `came ${apart.length} times` : `holds ${apart.length} values, joined by a comma`;
  return apart.map((value, index) => ({
    axis: "header",
    code: "signature_repeated",
    sentence: `The header ${shown} ${how}, and only one may count. The ${ordinal(index)} is right: a proxy adds it again, or two programs sign. Let only one of them set it.`,
    fix: null,
    pull: (subject) => withHeader(subject, name, value),
  }));
}

function listAltered(name: string, value: string): readonly Lever[] {
  const shown = showHeaderName(name);
  return alterations.flatMap(({ undo, words }) => {
    const undone = undo(value);
    if (undone === value) return [];
    return {
      axis: "header",
      code: "signature_altered",
      sentence: `What the header ${shown} holds is right, but ${words}.`,
      fix: null,
      pull: (subject) => withHeader(subject, name, undone),
    } satisfies Lever;
  });
}

/** CGI, some proxies and functions that forward write names with underscores, or with something in front. */
function listRenamed(name: string, headers: Patient["request"]["headers"]): readonly Lever[] {
  const wanted = plain(name);
  const found = Object.keys(headers).find((other) => {
    const seen = plain(other);
    return other !== name && (seen === wanted || (wanted.length >= 8 && seen.endsWith(wanted)));
  });
  const value = found === undefined ? undefined : headers[found]?.[0];
  if (found === undefined || value === undefined) return [];
  return [
    {
      axis: "header",
      code: "header_renamed",
      sentence: `The header ${showHeaderName(name)} arrived under the name ${JSON.stringify(found.slice(0, 80))}: something between the sender and this server has renamed it. Let it pass headers on as they are.`,
      fix: null,
      pull: (subject) => withHeader(subject, name, value),
    },
  ];
}

const alterations: readonly { readonly words: string; readonly undo: (value: string) => string }[] = [
  {
    words:
      "its hexadecimal digits are capitals; this scheme has small letters. The sender has to write them small",
    undo: (value) => value.replaceAll(/\b[0-9A-Fa-f]{32,}\b/g, (digits) => digits.toLowerCase()),
  },
  {
    words: "it stands in quotation marks. The sender, or a proxy, has to leave them out",
    undo: (value) => value.replace(/^(["'])(.*)\1$/, "$2"),
  },
  {
    words: "there is white space around it. The sender, or a proxy, has to leave it out",
    undo: (value) => value.trim().replaceAll(/\s*([,=])\s*/g, "$1"),
  },
  { words: "it is percent-encoded. The sender, or a proxy, has to send it as it is", undo: decode },
  {
    words: 'a line break is written out at its end ("\\n"). The sender has to leave it out',
    undo: (value) => value.replace(/\\n$/, ""),
  },
  { words: 'its base64 lacks the "=" at its end. The sender has to send the padding too', undo: pad },
];

function withHeader(subject: Case, name: string, value: string): Case {
  const headers = Object.assign(Object.create(null), subject.request.headers, { [name]: [value] });
  return { ...subject, request: { ...subject.request, headers } };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function decode(value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function pad(value: string): string {
  const text = /[A-Za-z0-9+/]{16,}$/.exec(value)?.[0];
  const missing = text === undefined ? 0 : (4 - (text.length % 4)) % 4;
  return missing < 3 ? value + "=".repeat(missing) : value;
}

function ordinal(index: number): string {
  return ["first", "second", "third"][index] ?? `${index + 1}th`;
}
