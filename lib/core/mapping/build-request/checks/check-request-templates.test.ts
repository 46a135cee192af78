import { describe, expect, test } from "vitest";
import { requestOf } from "../testing/build.ts";
import { checkRequestTemplates } from "./check-request-templates.ts";

describe("the check on save", () => {
  test("reports each invalid template, with its line and column", () => {
    const request = requestOf({
      headers: { "X-A": "{{ x | nope }}" },
      bodyText: null,
      body: { a: ["ok", "line\n {% if %}"], b: "{% include 'x' %}" },
    });
    expect(checkRequestTemplates(request)).toEqual({
      ok: false,
      errors: [
        {
          path: "headers.X-A",
          code: "invalid_template",
          line: 1,
          column: 1,
          message: "there is no filter nope",
        },
        {
          path: "body.a[1]",
          code: "invalid_template",
          line: 2,
          column: 7,
          message: expect.any(String),
        },
        {
          path: "body.b",
          code: "invalid_template",
          line: 1,
          column: 1,
          message: "the tag include can't be used here",
        },
      ],
    });
    expect(
      checkRequestTemplates(requestOf({ url: "https://h/{{ data.id }}?x={{ 'a#b' }}" })),
    ).toEqual({
      ok: true,
    });
    expect(checkRequestTemplates(requestOf({ url: 'https://h/{{ data["a} #b"] }}' }))).toEqual({
      ok: true,
    });
    expect(checkRequestTemplates(requestOf({ url: "{{ data.url }}" }))).toEqual({ ok: true });
  });
});
