import { Ajv2020, type AnySchema } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { errorTable } from "#lib/base/errors.ts";
import { buildOpenApi } from "./openapi.ts";

type Content = Readonly<Record<string, { readonly schema: AnySchema; readonly example?: unknown }>>;
type Operation = {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
    readonly schema?: AnySchema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly "x-errors": readonly string[];
};

const document = JSON.parse(JSON.stringify(buildOpenApi("https://hooks.example.test")));
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: "document", ...document });

const operations = Object.values<Readonly<Record<string, Operation>>>(document.paths)
  .flatMap((at) => Object.values(at))
  .map((operation): [string, Operation] => [operation.operationId, operation]);

/** The errors of an example. References are to the document. */
function check(schema: AnySchema, example: unknown): string | null {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const validate = ajv.compile(JSON.parse(text));
  return validate(example) ? null : ajv.errorsText(validate.errors);
}

const media = (content: Content = {}) =>
  Object.entries(content).filter(([type]) => type !== "text/csv");

it.each(operations)("%s has an example request and response, and its errors", (_, operation) => {
  const { parameters, requestBody, responses } = operation;
  const named = parameters.filter((each) => each.in === "path" || each.required === true);
  const examples = [
    ...named.map(({ name, schema = {}, example }) => ({ at: name, schema, example })),
    ...media(requestBody?.content)
      .filter(([, { example }]) => example !== undefined || requestBody?.required === true)
      .map(([at, shown]) => ({ at, ...shown })),
    ...Object.entries(responses)
      .filter(([status]) => /^2\d\d$/.test(status))
      .flatMap(([, { content }]) => media(content).map(([at, shown]) => ({ at, ...shown }))),
  ];
  for (const { at, schema, example } of examples)
    expect([at, example === undefined ? "none" : check(schema, example)]).toEqual([at, null]);
  expect(operation["x-errors"]).toEqual(
    expect.arrayContaining(["unauthenticated", "forbidden", "unavailable"]),
  );
  const statuses = operation["x-errors"].map(
    (code) => errorTable[code as keyof typeof errorTable].status,
  );
  expect(statuses).toEqual(statuses.toSorted());
});

it("no example of a response repeats the name of a field (if one does, add its value to example-values.json)", () => {
  const named = operations.flatMap(([id, { responses }]) =>
    Object.values(responses).flatMap(({ content }) =>
      media(content).flatMap(([, { example }]) =>
        [...JSON.stringify(example ?? null).matchAll(/"(\w+)":\["?\1"?\]|"(\w+)":"\2"/g)].map(
          ([text]) => `${id} ${text}`,
        ),
      ),
    ),
  );
  expect(named).toEqual([]);
});
