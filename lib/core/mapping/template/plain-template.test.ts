import { toValueSync } from "liquidjs";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "./compile-template.ts";
import { liquid } from "./liquid-engine.ts";
import { MappingScope } from "./mapping-scope.ts";
import { type Part, PartsEmitter } from "./parts-emitter.ts";
import { type PlainTemplate, readPlainTemplate, renderPlain } from "./plain-template.ts";
import { type BudgetLimits, RenderBudget } from "./render-budget.ts";
import { checkout, contextOf } from "./testing/test-context.ts";

const context = contextOf(checkout);

function compile(source: string) {
  const compiled = compileTemplate(source);
  if (!compiled.ok) throw new Error(compiled.message);
  return { nodes: compiled.nodes, plain: readPlainTemplate(compiled.nodes) };
}

/** The result of liquidjs: the parts, or the reason why there are none. */
function renderByLiquid(source: string, limits?: BudgetLimits): readonly Part[] | string {
  const budget = new RenderBudget(limits);
  const scope = new MappingScope(liquid, context.names, {
    nowMs: 0,
    budget,
    payloadProblem: null,
    isDamaged: false,
  });
  const emitter = new PartsEmitter(budget);
  try {
    toValueSync(liquid.renderer.renderTemplates(compile(source).nodes, scope, emitter));
    return scope.missing.size === 0 ? emitter.parts : "missing";
  } catch {
    return "fault";
  }
}

function render(plain: PlainTemplate | null, limits?: BudgetLimits): readonly Part[] | string {
  try {
    return plain === null
      ? "not plain"
      : (renderPlain(plain, context, new RenderBudget(limits)) ?? "missing");
  } catch {
    return "fault";
  }
}

const plain = [
  "{{ id }}",
  "{{data.object.customer_email}}",
  "a {{ id }} b {{- type -}} c",
  "{{ data.object.note }}",
  "{{ data.object.items }}{{ data.object.big }}",
  "{{ data.object.items[0].sku }} {{ data.object.items[-1]['sku'] }}",
  "{{ data.object.items.size }}{{ data.object.items.first.price }}{{ data.object.tags.last }}",
  "{{ data.object.currency.size }}",
  '{{ headers["x-topic"] }}{{ headers.x-topic }}',
  "{{ payload.data.object.amount_total }} {{ rawBody }}",
  "{{ hook.name }} {{ delivery.eventId }} {{ delivery.eventType }} {{ query.b }}",
];

const missing = [
  "{{ nothing }}",
  "{{ data.object.nothing }}",
  "{{ id.nothing }}",
  "{{ data.object.note.nothing }}",
  "{{ data.object.items[9] }}",
  "{{ constructor }}{{ id.constructor }}{{ data.__proto__ }}",
  "{{ data.object.tags.join }}",
];

describe("a template of text and names", () => {
  it.each([...plain, ...missing])("%s renders as by liquidjs", (source) => {
    const rendered = render(compile(source).plain);
    expect(rendered).toEqual(renderByLiquid(source));
    expect(typeof rendered === "string").toBe(missing.includes(source));
  });

  it.each(plain)("%s uses the same budget", (source) => {
    const template = compile(source).plain;
    for (let limit = 0; limit < 40; limit += 1) {
      for (const limits of [
        { maxSteps: limit, maxUnits: 8_000_000 },
        { maxSteps: 50_000, maxUnits: limit * 10 },
      ])
        expect(render(template, limits)).toEqual(renderByLiquid(source, limits));
    }
  });
});

it.each([
  "{{ id | upcase }}",
  "{{ id == type }}",
  "{{ 'text' }}",
  "{{ 1 }}",
  "{{ nil }}",
  "{{ data[type] }}",
  "{{ 'text'.size }}",
  "{% assign id = 1 %}{{ id }}",
  "{% if id %}{{ id }}{% endif %}",
  "{% raw %}{{ id }}{% endraw %}",
])("%s is left to liquidjs", (source) => {
  expect(compile(source).plain).toBe(null);
});
