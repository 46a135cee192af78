import { beforeEach } from "vitest";
import type { TestAccount, TestResponse } from "./test-api.ts";
import { withApi } from "./with-api.ts";

type Options = { prune?: boolean; maxPrunePercent?: number; planId?: string };

/** Gives a test file the API on a fresh database, and each test an account. */
export function withConfiguration() {
  const api = withApi();
  let number = 0;
  let account: TestAccount | undefined;
  const use = () => {
    if (account === undefined) throw new Error("Nothing is open outside of a test");
    return account;
  };
  const enter = async () => {
    number += 1;
    account = await api.createAccount(`account-${number}`);
  };
  beforeEach(enter);
  const send = (
    call: "plan" | "apply",
    texts: readonly string[],
    options: Options = {},
    token = use().token,
  ): Promise<TestResponse> => {
    const files = texts.map((text, index) => ({ path: `file-${index}.yaml`, text }));
    return api.send("POST", `/configuration/${call}`, { files, ...options }, token);
  };
  return {
    api,
    get account() {
      return use();
    },
    /** Another account from here on. */
    enter,
    return: (former: TestAccount) => {
      account = former;
    },
    send,
    /** Plans files and applies the plan. Returns what was planned, and fails unless both work. */
    async apply(texts: readonly string[], options: Options = {}): Promise<TestResponse["body"]> {
      const plan = await send("plan", texts, options);
      if (plan.status !== 200) throw new Error(plan.text);
      const applied = await send("apply", texts, { ...options, planId: plan.body.planId });
      if (applied.text !== plan.text) throw new Error(`${plan.text}\n${applied.text}`);
      return applied.body;
    },
  };
}

/** The text of a file. */
export function fileOf(...lines: readonly string[]): string {
  return ["format: catchment.configuration/1", ...lines, ""].join("\n");
}
