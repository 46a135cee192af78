// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of other engines
import { describe, expect, test } from "vitest";
import { renderString } from "./render-template.ts";
import { checkout, contextOf } from "./testing/test-context.ts";

const context = contextOf(checkout.replace('"id":', '"__proto__":{"own":1},"id":'));
const nowMs = 0;

/**
 * Attacks on other template engines and on JavaScript. None may do more than print itself or fail.
 */
const injections = [
  "{{constructor.constructor('return process')()}}",
  "{{ constructor }}",
  "{{ constructor.constructor }}",
  "{{ payload.constructor }}",
  "{{ payload.constructor.constructor }}",
  "{{ payload['constructor']['constructor'] }}",
  "{{ payload.__proto__.constructor }}",
  "{{ data.__proto__ }}",
  "{{ data['__proto__'] }}",
  "{{ data.object.__proto__.toString }}",
  "{{ data.object.__defineGetter__ }}",
  "{{ data.object.hasOwnProperty }}",
  "{{ data.object.toString }}",
  "{{ data.object.valueOf }}",
  "{{ data.object.tags.constructor }}",
  "{{ data.object.tags.__proto__ }}",
  "{{ data.object.tags.length }}",
  "{{ data.object.tags.push }}",
  "{{ data.object.tags.map }}",
  "{{ data.object.customer_email.constructor }}",
  "{{ data.object.customer_email.__proto__ }}",
  "{{ data.object.customer_email.length }}",
  "{{ data.object.amount_total.constructor }}",
  "{{ data.object.price.constructor }}",
  "{{ data.object.price.toString }}",
  "{{ data.object.price.gt }}",
  "{{ headers.constructor }}",
  "{{ headers.__proto__ }}",
  "{{ query.__proto__ }}",
  "{{ delivery.constructor }}",
  "{{ hook.__proto__ }}",
  "{{ 'x'.constructor }}",
  "{{ nil.constructor }}",
  "{{ empty.valueOf }}",
  "{{ blank.liquidMethodMissing }}",
  "{{ true.constructor }}",
  "{{ 5.constructor }}",
  "{% for i in data.object.tags %}{{ forloop.constructor }}{% endfor %}",
  "{% for i in data.object.tags %}{{ forloop.__proto__ }}{% endfor %}",
  "{% for i in data.object.tags %}{{ forloop.next }}{% endfor %}",
  "{% for i in data.object.tags %}{{ forloop.liquidMethodMissing }}{% endfor %}",
  "{% for i in data.object.tags %}{{ forloop.name }}{% endfor %}",
  "{{ this }}",
  "{{ self }}",
  "{{ process }}",
  "{{ process.env }}",
  "{{ global }}",
  "{{ globalThis.process.mainModule }}",
  "{{ require('fs') }}",
  "{{ require }}",
  "{{ config }}",
  "{{ settings.SECRET_KEY }}",
  "{{ request.application.__globals__ }}",
  "{{ ''.__class__.__mro__[1].__subclasses__() }}",
  "{{ 7*7 }}",
  "${{7*7}",
  "{{ [].class.base.subclasses }}",
  "{{ lipsum.__globals__['os'].popen('id').read() }}",
  "{{ range.constructor('return global.process.env')() }}",
  '{{#with "s" as |string|}}{{string.sub.constructor}}{{/with}}',
  "{{ $eval('1') }}",
  "{{ _self.env.registerUndefinedFilterCallback('exec') }}",
  "{% include '/etc/passwd' %}",
  "{% include payload.id %}",
  "{% render '/etc/passwd' %}",
  "{% render './compile-template.ts' %}",
  "{% layout '/etc/passwd' %}",
  "{% block a %}x{% endblock %}",
  "{% import os %}",
  "{% debug %}",
  "{% increment payload %}",
  "{% decrement data %}",
  "{% cycle payload, data %}",
  "{% tablerow i in data.object.tags %}x{% endtablerow %}",
  "{{ payload | raw }}",
  "{{ payload | inspect }}",
  "{{ data.object.items | where_exp: 'i', 'i.constructor' }}",
  "{{ data.object.items | find_exp: 'i', 'i.constructor' }}",
  "{{ data.object.items | group_by_exp: 'i', 'i.constructor' }}",
  "{{ data.object.tags | sample }}",
  "{{ 'x' | sha256 }}",
  "{{ 'x' | hmac_sha256: 'y' }}",
  "{{ 'x' | constructor }}",
  "{{ 'x' | __proto__ }}",
  "{{ 'x' | toString }}",
  "{{ 'x' | eval }}",
  "{{ 'x' | system }}",
  "{{ data.object.items | map: 'constructor.name' | join }}",
  "{{ data.object.items | map: '__proto__' | json }}",
  "{{ data.object.items | sum: 'constructor.length' }}",
  "{{ data.object.items | where: '__proto__' | json }}",
  "{% assign __proto__ = data %}{{ data.object.polluted }}",
  "{% assign constructor = 'x' %}{{ payload.constructor }}",
  "{% capture __proto__ %}x{% endcapture %}{{ payload.__proto__.x }}",
];

/** Literals: not for our engine. */
const literals = [
  "${7*7}",
  "#{7*7}",
  "<%= 7*7 %>",
  "<%= process.env %>",
  "*{7*7}",
  "@(7*7)",
  "${T(java.lang.Runtime).getRuntime().exec('id')}",
  "#set($x=7*7)$x",
  "{php}echo 1;{/php}",
  "[[${7*7}]]",
  "~{7*7}",
  "{7*7}",
  "a{*comment*}b",
  "{!7*7!}",
];

const leaks = /function|native code|\[object|class |Drop|root:|process|49|mainModule|NODE|import /;

describe("template injection", () => {
  test.each(injections)("%s reaches nothing", (source) => {
    const rendered = renderString(source, { context, nowMs });
    if (!rendered.ok) return expect(rendered.messages.length).toBeGreaterThan(0);
    expect(["string", "number", "boolean"]).toContain(typeof rendered.value);
    expect(String(rendered.value)).not.toMatch(leaks);
    return undefined;
  });

  test("none renders at all", () => {
    const rendered = injections.filter((source) => renderString(source, { context, nowMs }).ok);
    expect(rendered).toEqual([]);
  });

  test.each(literals)("%s is text", (source) => {
    expect(renderString(source, { context, nowMs })).toEqual({ ok: true, value: source });
  });

  test("a template in a payload is a value, never rendered again", () => {
    const evil = contextOf(JSON.stringify({ data: { t: "{{ hook.name }}{% include 'x' %}" } }));
    for (const source of [
      "{{ data.t }}",
      "{{ data.t | append: '' }}",
      "{% capture c %}{{ data.t }}{% endcapture %}{{ c }}",
    ]) {
      expect(renderString(source, { context: evil, nowMs })).toEqual({
        ok: true,
        value: "{{ hook.name }}{% include 'x' %}",
      });
    }
  });

  test("an own key __proto__ of the payload is data, and pollutes nothing", () => {
    const rendered = renderString("{{ payload.__proto__.own }}", { context, nowMs });
    expect(rendered).toEqual({ ok: true, value: 1 });
    expect(Reflect.get({}, "own")).toBeUndefined();
  });

  test("a template leaves no trace in the next one", () => {
    renderString("{% assign payload = 'mine' %}{% assign x = 1 %}", { context, nowMs });
    expect(renderString("{{ payload.id }}", { context, nowMs })).toEqual({
      ok: true,
      value: "evt_1",
    });
    expect(renderString("{{ x }}", { context, nowMs })).toMatchObject({ ok: false });
  });
});
