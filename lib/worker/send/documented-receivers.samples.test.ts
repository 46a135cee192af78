import { expect, it } from "vitest";
import { runnable, verifyAsDocumented } from "./testing/documented-receivers.ts";
import { type Language, languages } from "./testing/sample-programs.ts";
import { listVerificationCalls } from "./testing/verification-calls.ts";

/** True when run by `npm run test:samples`, which installs what is missing. */
const needsAll = process.env.TEST_ALL_SAMPLES === "1";

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
    const given = verifyAsDocumented(
      language,
      calls.map(({ call }) => call),
    );
    expect(calls.map(({ name }, index) => `${name}: ${given[index]}`)).toEqual(
      calls.map(({ name, accepted }) => `${name}: ${accepted}`),
    );
  },
);
