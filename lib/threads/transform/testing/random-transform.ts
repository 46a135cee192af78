import fc from "fast-check";

/** Transforms that use the payload, the clock, and random numbers. Some fail. */
export function randomTransform(): fc.Arbitrary<string> {
  const { expression } = fc.letrec<{ expression: string; leaf: string }>((tie) => ({
    leaf: fc.constantFrom(
      "delivery.payload",
      "delivery.payload.items",
      "delivery.payload.items[1].price",
      "delivery.payload.big",
      "delivery.headers",
      "delivery.nope.nope",
      "steps.find.body",
      "Date.now()",
      "new Date()",
      "new Date(2026, 5, 1)",
      "Math.random()",
      "NaN",
      "undefined",
      "10n ** 20n",
      "'text é \\ud800'",
      "[3, 1, 2]",
      "0.1 + 0.2",
      "new Map([[1, 2]])",
    ),
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie("leaf"),
      fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `[${a}, ${b}]`),
      fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `({ a: ${a}, b: ${b} })`),
      fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `(${a}) + (${b})`),
      tie("expression").map((a) => `JSON.stringify(${a})`),
      tie("expression").map((a) => `[...(${a})].map((item) => [item, Math.random()])`),
      tie("expression").map((a) => `Object.entries(${a}).sort(() => Math.random() - 0.5)`),
      tie("expression").map((a) => `(() => { throw new Error(String(${a})) })()`),
      tie("expression").map(
        (a) => `(() => { try { return ${a} } catch (e) { return e.stack } })()`,
      ),
    ),
  }));
  return expression.map((text) => `export default (delivery, steps) =>\n  ${text};`);
}
