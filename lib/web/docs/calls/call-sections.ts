import { apiDocument, callsOfPage, type Operation } from "./api-document.ts";
import { type Field, listFields, toField } from "./list-fields.ts";

/** A call as the search finds it. */
type CallSection = {
  readonly id: string;
  readonly depth: number;
  readonly heading: string;
  readonly text: string;
  /** The names of its fields, in lower case. */
  readonly fields: ReadonlySet<string>;
};

const cache = new Map<string, readonly CallSection[]>();

/** The calls of a page of the API, each with the names of what it takes and returns. Read once. */
export function readCallSections(page: string): readonly CallSection[] {
  const sections = cache.get(page) ?? callsOfPage(page).map(toSection);
  cache.set(page, sections);
  return sections;
}

function toSection(operation: Operation): CallSection {
  const { operationId, method, path, summary, description } = operation;
  const given = namesOf(listGiven(operation));
  const returned = namesOf(listReturned(operation));
  const text = [
    `${method} ${path}.`,
    description.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", ""),
    given.length === 0 ? "" : `Takes ${given.join(", ")}.`,
    returned.length === 0 ? "" : `Returns ${returned.join(", ")}.`,
  ];
  return {
    id: operationId,
    depth: 3,
    heading: summary,
    text: text.filter(Boolean).join(" "),
    fields: new Set([...given, ...returned].map((name) => name.toLowerCase())),
  };
}

function listGiven({ parameters, requestBody }: Operation): readonly Field[] {
  const options = { shapes: apiDocument().shapes, texts: () => "", levels: 3 };
  const body = requestBody?.content["application/json"];
  return [
    ...parameters.map(({ name, schema, required }) => toField(name, schema, required, options)),
    ...(body === undefined ? [] : listFields(body.schema, options)),
  ];
}

function listReturned({ responses }: Operation): readonly Field[] {
  const options = { shapes: apiDocument().shapes, texts: () => "", levels: 3 };
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const [media] = Object.values(success?.content ?? {});
  return media === undefined ? [] : listFields(media.schema, options);
}

function namesOf(fields: readonly Field[]): readonly string[] {
  const all = (list: readonly Field[]): readonly string[] =>
    list.flatMap(({ name, fields: inner }) => [name, ...all(inner)]);
  return [...new Set(all(fields))];
}
