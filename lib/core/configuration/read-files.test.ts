import { expect, test } from "vitest";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { writeYaml } from "./exact-yaml.ts";
import { readFiles } from "./read-files.ts";

const format = "format: catchment.configuration/1";
const file = (path: string, ...lines: string[]) => ({
  path,
  text: [format, ...lines, ""].join("\n"),
});

function read(...files: Parameters<typeof readFiles>[0]) {
  const whole = readFiles(files);
  if (!whole.ok) throw new Error(JSON.stringify(whole.problems));
  return { ...whole, value: JSON.parse(whole.json) };
}

function problemsOf(...files: Parameters<typeof readFiles>[0]) {
  const whole = readFiles(files);
  return whole.ok ? [] : whole.problems.map(({ at, message }) => `${at} ${message}`);
}

test("files count as one, and each item has its file and line", () => {
  const one = file(
    "a.yaml",
    "hooks:",
    "  - name: A",
    "    actions:",
    "      - name: Call",
    "  - name: B",
  );
  const two = {
    path: "b.json",
    text: '{"format": "catchment.configuration/1",\n"hooks": [\n{"name": "C"}]}',
  };
  const { value, places } = read(one, two);
  expect(value.hooks.map(({ name }: { name: string }) => name)).toEqual(["A", "B", "C"]);
  expect(places).toMatchObject({
    "hooks.0": "a.yaml:3",
    "hooks.0.actions.0": "a.yaml:5",
    "hooks.1": "a.yaml:6",
    "hooks.2": "b.json:3",
  });
});

test("a name twice names both files and lines", () => {
  const both = problemsOf(
    file("a.yaml", "hooks:", "  - name: A"),
    file("b.yaml", "hooks:", "  - name: B", "  - name: A"),
  );
  expect(both).toEqual([
    'b.yaml:4 hook "A" is also at a.yaml:3: give one another name, or number: 2 if both exist',
  ]);
  expect(problemsOf(file("a.yaml", "sending: {}"), file("b.yaml", "sending: {}"))).toEqual([
    "b.yaml:2 has sending, which a.yaml:2 has too",
  ]);
  expect(problemsOf(file("a.yaml", "managedBy: x"), file("b.yaml", "managedBy: y"))).toHaveLength(
    1,
  );
  const numbered = file("a.yaml", "hooks:", "  - name: A", "  - name: A", "    number: 2");
  expect(read(numbered).value.hooks).toHaveLength(2);
  const actions = ["    actions:", "      - name: Call", "      - name: Call"];
  expect(problemsOf(file("a.yaml", "hooks:", "  - name: A", ...actions))).toEqual([
    'a.yaml:6 hook "A", action "Call" is also at a.yaml:5: give one another name, or number: 2 if both exist',
  ]);
});

test("what isn't YAML says where, and repeats nothing of the file", () => {
  const secret = "whsec_canary";
  const bad = [
    `hooks: [${secret}`,
    `a: *${secret}`,
    `\t${secret}`,
    `a: ${secret}\na: ${secret}`,
    `--- \n${secret}\n---\n${secret}`,
    `"${secret}`,
    `a: !<${secret}`,
    `? [${secret}]: x`,
    `${"[".repeat(20_000)}${secret}`,
    "",
    "# nothing",
    secret,
    "- a",
  ];
  for (const text of bad) {
    const problems = problemsOf({ path: "a.yaml", text });
    expect([text.slice(0, 40), problems.length > 0]).toEqual([text.slice(0, 40), true]);
    expect(problems.join()).toMatch(/^a\.yaml:\d+ /);
    expect(problems.join()).not.toContain("canary");
  }
});

test("aliases can't make a small file large", () => {
  const lines = ["a: &a0 [x,x,x,x,x,x,x,x,x,x]"];
  for (let level = 1; level < 12; level += 1)
    lines.push(`a${level}: &a${level} [${`*a${level - 1},`.repeat(10)}]`);
  expect(problemsOf(file("a.yaml", ...lines))).toHaveLength(1);
});

test("numbers keep their digits, and only those of JSON are numbers", () => {
  const values = ["12345678901234567890.10", "1e400", "-0", "7"];
  const { json } = read(
    file("a.yaml", `sending: [${values.join(", ")}, 0x1F, .5, +1, 1_000, yes, 1:30]`),
  );
  expect(json).toContain(
    '[12345678901234567890.10,1e400,-0,7,"0x1F",".5","+1","1_000","yes","1:30"]',
  );
});

test("what is written is read again, whatever it is", () => {
  const texts = [
    "0x1F",
    ".5",
    "1e3",
    "yes",
    "null",
    "~",
    "",
    " a ",
    "a: b",
    "# c",
    "a\n\nb\n",
    "\t",
    "- a",
    "*a",
  ];
  const more = [
    "%x",
    "@x",
    "`x",
    "a\r\nb",
    "\u2028",
    "é",
    "{{ x }}",
    "---",
    "...",
    "<<",
    "a\n  b",
    "'",
    '"',
  ];
  const exact = new ExactNumber("1.10");
  const value = {
    format: "catchment.configuration/1",
    sending: {
      texts: [...texts, ...more],
      exact,
      __proto__x: 1,
      "1": true,
      nested: [[], {}, null],
    },
  };
  const { json } = read({ path: "a.yaml", text: writeYaml(value) });
  const again = parseExactJson(json);
  expect(again.ok && JSON.stringify(again.value)).toBe(JSON.stringify(value));
});
