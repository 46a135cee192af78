import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { buildOpenApi } from "./openapi.ts";
import { routes } from "./routes.ts";

const document = buildOpenApi("https://hooks.example.test");

it("every call of the table is an operation with a name of its own", () => {
  const operations = Object.entries(document.paths).flatMap(([path, at]) =>
    Object.entries(at).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
  expect(operations.toSorted()).toEqual(
    routes
      .map(({ method, path, operationId }) => `${method.toLowerCase()} ${path} ${operationId}`)
      .toSorted(),
  );
  expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length);
});

it("every call has a tag with a description, a scope, and what its rejections look like", () => {
  const described = document.tags.map(({ name }) => name);
  expect(new Set(described).size).toBe(described.length);
  for (const operation of Object.values(document.paths).flatMap((at) => Object.values(at))) {
    expect(described).toContain(operation.tags[0]);
    expect(operation.description).toMatch(/Needs the scope `[a-z]+:(read|write)`\.$/);
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(["4XX", "5XX"]));
  }
});

it("every reference leads to a schema, and every schema is valid", () => {
  const text = JSON.stringify(document);
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(names.filter((name) => !Object.hasOwn(document.components.schemas, name ?? ""))).toEqual(
    [],
  );
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "document", ...document });
  for (const name of Object.keys(document.components.schemas))
    expect(ajv.getSchema(`document#/components/schemas/${name}`)).toBeTypeOf("function");
});

it("every example is what its call accepts, and every call with a body has one or needs none", () => {
  for (const { method, path, input, example } of routes) {
    if (method === "GET") continue;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "x"]);
    const given = { ...example, ...Object.fromEntries(names) };
    expect([path, input.safeParse(given).error?.issues]).toEqual([path, undefined]);
  }
});
