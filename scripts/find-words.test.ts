import { expect, it } from "vitest";
import { findWords } from "./find-words.ts";

const found = (text: string, path = "lib/web/example.ts") =>
  findWords(path, text).map(({ line, word }) => `${line}: ${word}`);

it("finds words and former names in prose and code, with their line", () => {
  expect(found("// Fetched\n// anew, whoever asks.")).toEqual(["2: anew", "2: whoever"]);
  expect(found("const mostItems = 5; // so long")).toEqual(["1: so long", "1: mostItems"]);
  expect(found("A toast is told to nobody.")).toEqual(["1: nobody"]);
});

it("finds typographic apostrophes, which would stand beside straight ones", () => {
  expect(found("“It doesn’t fit”")).toEqual(["1: ’"]);
  expect(found("“It doesn't fit”")).toEqual([]);
});

it("finds British spellings, except for the state that is stored", () => {
  expect(found("summariseRun(colour) // recognised")).toEqual([
    "1: summarise",
    "1: recognised",
    "1: colour",
  ]);
  expect(found("A canceled run was cancelled.")).toEqual(["1: cancelled"]);
  expect(found('state: "cancelled"')).toEqual([]);
});

it("finds a noun that has several meanings, and not its verb", () => {
  expect(found("const answer = await send(); // A receiver answers. See `answer`.")).toEqual([
    "1: const answer",
    "1: `answer`",
  ]);
  expect(found("slowestAnswerMs; readAnswers(); answerJson")).toEqual([
    "1: slowestAnswerMs",
    "1: readAnswers",
    "1: answerJson",
  ]);
  expect(found("const answers = 1;", "lib/net/addresses/resolve.ts")).toEqual([]);
});

it("finds former names of what waits, ends, or is someone else", () => {
  expect(found("function settle() {} // A stranger calls placesOf and takeExportPlace.")).toEqual([
    "1: stranger",
    "1: function settle",
    "1: placesOf",
    "1: takeExportPlace",
  ]);
  expect(found("/** Settles when it is stored. */ await Promise.allSettled([]);")).toEqual([]);
});

it("says what to write instead", () => {
  expect(findWords("README.md", "It is fetched anew.")).toEqual([
    { line: 1, word: "anew", instead: "again" },
  ]);
});

it("allows providers' own words, users and databases of that name, and quotes", () => {
  expect(found('sender: "billing"', "lib/core/providers/acme.samples.ts")).toEqual([]);
  expect(found('fetch("/catch/nobody/x"); const nobody = {};')).toEqual([]);
  expect(found("a loop over `runs_lane_idx`")).toEqual([]);
  expect(found('const secret = "It\'s a Secret to Everybody";')).toEqual([]);
});
