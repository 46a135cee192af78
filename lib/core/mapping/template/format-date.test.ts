import { describe, expect, test } from "vitest";
import { checkTemplate } from "./compile-template.ts";
import { renderString } from "./render-template.ts";
import { contextOf } from "./testing/test-context.ts";

const context = contextOf(
  '{"data":{"at":1795266303007,"format":"%J","zone":"Mars/Base","none":null,"soon":"soon"}}',
);

function render(source: string): unknown {
  const rendered = renderString(source, { context, nowMs: 0 });
  return rendered.ok ? rendered.value : rendered.messages;
}

const format = (code: string) => render(`{{ data.at | date: "${code}" }}`);

describe("a date code", () => {
  test.each([
    ["%Y-%m-%d", "2026-11-21"],
    ["%F %T", "2026-11-21 13:05:03"],
    ["%D %R", "11/21/26 13:05"],
    ["%y %C %-m %e", "26 20 11 21"],
    ["%B %b %h %^b %#b", "November Nov Nov NOV NOV"],
    ["%A %a %u %w", "Saturday Sat 6 6"],
    ["%j %U %W", "325 46 46"],
    ["%G-W%V-%u %g", "2026-W47-6 26"],
    ["%H %I %k %l %-l %_5H %05H", "13 01 13  1 1    13 00013"],
    ["%M:%S %p %P", "05:03 PM pm"],
    ["%L %3N %N %6N", "007 007 007000000 007000"],
    ["%s %Q", "1795266303 1795266303007"],
    ["%z %:z %::z %Z", "+0000 +00:00 +00:00:00 +0000"],
    ["%r|%v|%+", "01:05:03 PM|21-NOV-2026|Sat Nov 21 13:05:03 +0000 2026"],
    ["%c|%x|%X", "11/21/2026, 1:05:03 PM|11/21/2026|1:05:03 PM"],
    ["%d%q", "21st"],
    ["%Ey %Od 100%%%n%t", "26 21 100%\n\t"],
  ])("%s is %j", (code, expected) => {
    expect(format(code)).toBe(expected);
  });

  test.each([
    [
      "%J",
      "%J is not a date code: use those of strftime, such as %Y-%m-%d, and %% for a percent sign",
    ],
    ["%i:%M", "%i is not a date code"],
    ["%:d", "%:d is not a date code"],
    ["100%", "a date format ends with %: write %% for a percent sign"],
    ["%é", "%é is not a date code"],
    ["%999N", "%999N is too wide: at most 100"],
    ["", "a date format must not be empty"],
  ])("%j is refused on save", (code, message) => {
    for (const source of [
      `{{ data.at | date: "${code}" }}`,
      `{% assign x = data.at | date: "${code}" %}`,
      `{% if data.at %}{% echo data.at | date: "${code}" %}{% endif %}`,
    ])
      expect(checkTemplate(source)).toMatchObject({
        ok: false,
        message: expect.stringContaining(message),
      });
  });

  test("that comes from a delivery is refused when it is used", () => {
    expect(render("{{ data.at | date: data.format }}")).toEqual([
      expect.stringContaining("%J is not a date code"),
    ]);
  });
});

describe("a zone", () => {
  test.each([
    ["2026-11-21T23:30:00Z", "Europe/Berlin", "2026-11-22 00:30 +0100 Europe/Berlin"],
    ["2026-03-29T00:59:59Z", "Europe/Berlin", "2026-03-29 01:59 +0100 Europe/Berlin"],
    ["2026-03-29T01:00:00Z", "Europe/Berlin", "2026-03-29 03:00 +0200 Europe/Berlin"],
    ["2026-10-25T00:30:00Z", "Europe/Berlin", "2026-10-25 02:30 +0200 Europe/Berlin"],
    ["2026-10-25T01:30:00Z", "Europe/Berlin", "2026-10-25 02:30 +0100 Europe/Berlin"],
    ["2026-11-21T10:00:00Z", "America/St_Johns", "2026-11-21 06:30 -0330 America/St_Johns"],
  ])("writes %s in %s as %s", (at, zone, expected) => {
    expect(render(`{{ "${at}" | date: "%F %R %z %Z", "${zone}" }}`)).toBe(expected);
  });

  test("can be minutes west of UTC, as in JavaScript", () => {
    expect(render('{{ data.at | date: "%R %z", 360 }}')).toBe("07:05 -0600");
  });

  test("that doesn't exist is refused, on save if the template names it", () => {
    const message = '"Mars/Base" is not a time zone: use a name such as Europe/Berlin';
    expect(checkTemplate('{{ data.at | date: "%F", "Mars/Base" }}')).toMatchObject({
      ok: false,
      message,
    });
    expect(render('{{ data.at | date: "%F", data.zone }}')).toEqual([message]);
  });
});

test("days are counted in UTC, so that the change to summer time loses none", () => {
  const days = '{{ "2026-03-28" | date: "%s" | plus: 86400 | date: "%F" }}';
  expect(render(days)).toBe("2026-03-29");
  expect(render('{{ "2026-03-29" | date: "%s" | plus: 86400 | date: "%F" }}')).toBe("2026-03-30");
});

test.each([
  ["date", "Saturday, November 21, 2026 at 1:05 pm +0000"],
  ["date_to_xmlschema", "2026-11-21T13:05:03+00:00"],
  ["date_to_rfc822", "Sat, 21 Nov 2026 13:05:03 +0000"],
  ["date_to_string", "21 Nov 2026"],
  ["date_to_long_string", "21 November 2026"],
  ['date_to_string: "ordinal"', "21st Nov 2026"],
  ['date_to_long_string: "ordinal", "US"', "November 21st, 2026"],
])("%s writes %s", (filter, expected) => {
  expect(render(`{{ data.at | ${filter} }}`)).toBe(expected);
});

test.each([
  "date: '%F'",
  "date_to_xmlschema",
  "date_to_rfc822",
  "date_to_string",
  "date_to_long_string",
])("%s fails for what it can't read, and leaves null as it is", (filter) => {
  expect(render(`{{ data.soon | ${filter} }}`)).toEqual([
    expect.stringMatching(/^date\w* can't read "soon", which is not a date: use a form such as/),
  ]);
  expect(render(`{{ data.none | ${filter} }}`)).toBeNull();
});
