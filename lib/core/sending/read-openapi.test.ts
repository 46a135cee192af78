import { expect, it } from "vitest";
import { findSchemaProblem } from "./event-schema.ts";
import { readOpenApi } from "./read-openapi.ts";

const yaml = `
openapi: 3.1.0
webhooks:
  invoice.paid:
    post:
      description: An invoice was paid.
      requestBody:
        content:
          application/json:
            schema: { $ref: "#/components/schemas/InvoicePaid" }
            example: { type: invoice.paid, data: { amount: 4200 } }
  order.created:
    post:
      summary: An order
      deprecated: true
      requestBody:
        content:
          application/json:
            schema: { type: object, properties: { item: { $ref: "#/components/schemas/Item" } } }
  newPet:
    post: {}
  pet.broken:
    post:
      requestBody: { content: { application/json: { schema: { type: nonsense } } } }
components:
  schemas:
    InvoicePaid:
      type: object
      properties:
        type: { const: invoice.paid }
        data: { $ref: "#/components/schemas/Invoice" }
    Invoice:
      type: object
      required: [amount]
      properties: { amount: { type: integer }, parent: { $ref: "#/components/schemas/Invoice" } }
    Item: { type: string }
`;

it("each webhook of an OpenAPI document is an event type whose schema stands alone", () => {
  const read = readOpenApi(yaml);
  if (!read.ok) throw new Error(read.message);
  const [paid, created] = read.entries;
  expect(paid).toMatchObject({
    name: "invoice.paid",
    description: "An invoice was paid.",
    example: { amount: 4200 },
    schema: { $ref: "#/$defs/Invoice", $defs: { Invoice: { required: ["amount"] } } },
  });
  expect(created).toMatchObject({
    name: "order.created",
    description: "An order",
    deprecated: true,
    schema: { $defs: { Item: { type: "string" } } },
  });
  expect(read.entries.map(findSchemaProblem)).toEqual([null, null]);
  expect(read.skipped.map(({ name }) => name)).toEqual(["newPet", "pet.broken"]);
});

it.each([
  ["text", "nonsense"],
  ["an older version", { openapi: "3.0.3", webhooks: { a: {} } }],
  ["no webhooks", { openapi: "3.1.0", paths: {} }],
  [
    "aliases that grow without end",
    "a: &a " +
      `[1,1]\n${Array.from({ length: 30 }, (_, n) => {
        const before = n === 0 ? "a" : `b${n - 1}`;
        return `b${n}: &b${n} [*${before},*${before}]`;
      }).join("\n")}`,
  ],
])("a document with %s is refused", (_, document) => {
  expect(readOpenApi(document).ok).toBe(false);
});
