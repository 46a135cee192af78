import { expect, it } from "vitest";
import { runnable, verifyAsDocumented } from "./testing/documented-receivers.ts";
import { type Language, languages } from "./testing/sample-programs.ts";
import { listTimedCalls } from "./testing/timed-calls.ts";
import { listVerificationCalls, type SampleCall } from "./testing/verification-calls.ts";

/** True when run by `npm run test:samples`, which installs what is missing. */
const needsAll = process.env.TEST_ALL_SAMPLES === "1";

type Tested = readonly {
  readonly name: string;
  readonly accepted: boolean;
  readonly call: SampleCall;
}[];

function expectSameResults(language: Language, calls: Tested, timedHeader?: string): void {
  const given = verifyAsDocumented(
    language,
    calls.map(({ call }) => call),
    timedHeader,
  );
  expect(calls.map(({ name }, index) => `${name}: ${given[index]}`)).toEqual(
    calls.map(({ name, accepted }) => `${name}: ${accepted}`),
  );
}

it.for(Object.keys(languages) as Language[])(
  "the documented code in %s accepts genuine calls, rejects all others, and never throws",
  { tags: "variant" },
  (language, { skip }) => {
    if (!needsAll && !runnable.includes(language)) {
      process.stderr.write(`Not tested: the sample in ${language}. Run npm run test:samples.\n`);
      skip(`${language} isn't installed`);
    }
    const calls = listVerificationCalls();
    expect(calls).toHaveLength(30);
    expectSameResults(language, calls);
    expectSameResults(language, listTimedCalls(), "x-acme2-signature");
  },
);
