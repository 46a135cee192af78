import { pageOfNoun } from "#lib/web/api/describe-calls.ts";
import { buildOpenApi } from "#lib/web/api/openapi.ts";
import type { JsonSchema } from "#lib/web/api/shared-shapes.ts";

export type Shapes = Readonly<Record<string, JsonSchema>>;

type Media = { readonly schema: JsonSchema; readonly example?: unknown };
export type Content = Readonly<Record<string, Media>>;

type Parameter = {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description?: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
};

/** A call as the OpenAPI document describes it. */
export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly "x-errors": readonly string[];
};

type ApiDocument = { readonly operations: readonly Operation[]; readonly shapes: Shapes };

let cached: ApiDocument | undefined;

/** The parts of the OpenAPI document that the pages show, read once. */
export function apiDocument(): ApiDocument {
  cached ??= readDocument();
  return cached;
}

function readDocument(): ApiDocument {
  const { paths, components } = buildOpenApi("");
  const operations = Object.entries(paths).flatMap(([path, at]) =>
    Object.entries(at).map(([method, operation]) => ({
      ...(operation as unknown as Operation),
      path,
      method: method.toUpperCase(),
    })),
  );
  // The others are headers, which all calls have.
  const named = operations.map((operation) => ({
    ...operation,
    parameters: operation.parameters.filter(({ name }) => name !== undefined),
  }));
  return { operations: named, shapes: components.schemas };
}

/** The calls of a page, those of a path together. */
export function callsOfPage(page: string): readonly Operation[] {
  return apiDocument().operations.filter(({ tags }) =>
    tags.some((tag) => pageOfNoun(tag) === page),
  );
}
