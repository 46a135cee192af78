import { describe, expect, it } from "vitest";
import { stepsSchema } from "#lib/schema/act/steps.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { StepDriver, StepEnd, StepRun } from "./step-driver.ts";
import { walkSteps } from "./walk-steps.ts";

const request = { method: "POST", url: "https://a.example/" };
const call = (key: string, rest: object = {}) => ({ key, kind: "call", request, ...rest });
const wait = (delayMs: number): StepEnd => ({ kind: "pause", code: "retry", detail: "", delayMs });
const done: StepEnd = { kind: "done" };
const stop = { kind: "pause", code: "worker_stopped", detail: "", delayMs: 0 } as const;

type Script = {
  /** The end by the name of a step or item: "key", "key 0". Any other step or item succeeds. */
  readonly ends?: Readonly<Record<string, "failed" | StepEnd>>;
  readonly known?: Readonly<Record<string, StepEnd>>;
  readonly skipped?: readonly string[];
  readonly list?: JsonValue;
  readonly parallel?: number;
  /** The number of effects after which no more may begin. */
  readonly stopsAfter?: number;
};

const nameOf = ({ step, item }: StepRun) =>
  item === null ? step.key : `${step.key} ${item.index}`;

/** Walks the steps and returns what was performed and kept, in order. */
async function walk(steps: readonly object[], script: Script = {}) {
  const log: string[] = [];
  let performed = 0;
  let running = 0;
  let most = 0;
  const failed = (run: StepRun): StepEnd => {
    return { kind: "failed", key: run.step.key, code: "bad", message: `${nameOf(run)} is bad` };
  };
  const driver: StepDriver = {
    findStop: () => (performed >= (script.stopsAfter ?? Infinity) ? stop : null),
    find: async (run) => script.known?.[nameOf(run)] ?? null,
    chooseItems: (_step, items) => ({
      items: items.map((value, index) => ({ value, index })),
      parallel: script.parallel ?? 1,
    }),
    prepareRequest: async (run, { method, url }) => {
      if (script.skipped?.includes(nameOf(run))) return { kind: "skip", message: "no" };
      return { kind: "ready", value: { method, url, headers: [], body: null } };
    },
    prepareValue: async ({ step }, value) => {
      const given = step.forEach === null ? value : (script.list ?? null);
      return { kind: "ready", value: JSON.stringify(given) };
    },
    perform: async (run, effect) => {
      log.push(`${effect.kind} ${nameOf(run)}`);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      performed += 1;
      const end = script.ends?.[nameOf(run)] ?? done;
      return end === "failed" ? failed(run) : end;
    },
    end: async (run, outcome) => {
      log.push(`${outcome.state} ${nameOf(run)}`);
      if (outcome.state !== "failed") return done;
      const { code, message } = outcome;
      return { kind: "failed", key: run.step.key, code, message };
    },
  };
  const end = await walkSteps(stepsSchema.parse(steps), driver);
  return { log, end, most };
}

describe("steps", () => {
  it("are done in order, and one whose condition doesn't match is skipped", async () => {
    const steps = [call("a"), { key: "t", kind: "transform", code: "x" }, call("c")];
    expect(await walk(steps, { skipped: ["a"] })).toMatchObject({
      log: ["skipped a", "transform t", "call c"],
      end: done,
    });
  });

  it("that are known aren't done again, and what they were decides what follows", async () => {
    const steps = [call("a"), call("b"), call("c")];
    expect(await walk(steps, { known: { a: done, b: wait(5) } })).toMatchObject({
      log: [],
      end: wait(5),
    });
  });

  it.each([
    ["stop", ["call a"], { kind: "failed", key: "a", message: "a is bad" }],
    ["continue", ["call a", "call c"], done],
    [{ steps: [call("b")] }, ["call a", "call b", "call c"], done],
  ])("after a failure: %j", async (onFailure, log, end) => {
    const steps = [call("a", { onFailure }), call("c")];
    expect(await walk(steps, { ends: { a: "failed" } })).toMatchObject({ log, end });
  });

  it("end with the failure of a branch, or wait in it", async () => {
    const steps = [call("a", { onFailure: { steps: [call("b")] } }), call("c")];
    const ends = { a: "failed", b: "failed" } as const;
    expect(await walk(steps, { ends })).toMatchObject({
      log: ["call a", "call b"],
      end: { key: "b" },
    });
    expect((await walk(steps, { ends: { a: "failed", b: wait(7) } })).end).toEqual(wait(7));
  });

  it("don't begin once the driver stops, or after one that is lost", async () => {
    const steps = [call("a"), call("b")];
    expect(await walk(steps, { stopsAfter: 1 })).toMatchObject({ log: ["call a"], end: stop });
    const lost = { kind: "lost" } as const;
    expect(await walk(steps, { ends: { a: lost } })).toMatchObject({ log: ["call a"], end: lost });
  });

  it("go on after one whose result isn't known", async () => {
    expect(await walk([call("a"), call("b")], { ends: { a: { kind: "unknown" } } })).toMatchObject({
      log: ["call a", "call b"],
      end: done,
    });
  });

  it("a delay and an event are effects with what their templates gave", async () => {
    const steps = [
      { key: "d", kind: "delay", until: "2026-01-01" },
      { key: "p", kind: "publish", type: "order.paid" },
      { key: "q", kind: "publish", type: "not a type!" },
    ];
    expect(await walk(steps)).toMatchObject({
      log: ["delay d", "publish p", "failed q"],
      end: { code: "event_invalid", message: expect.stringMatching(/^type: /) },
    });
  });
});

describe("a step for each item", () => {
  const each = (rest: object = {}) => [call("e", { forEach: { path: "data.items" }, ...rest })];
  const list = [1, 2, 3, 4];

  it("is done once per item in order, and then as a whole", async () => {
    expect(await walk(each(), { list, skipped: ["e 2"] })).toMatchObject({
      log: ["call e 0", "call e 1", "skipped e 2", "call e 3", "succeeded e"],
      end: done,
      most: 1,
    });
  });

  it("is done for as many items at once as the driver allows", async () => {
    expect(await walk(each(), { list, parallel: 3 })).toMatchObject({ most: 3, end: done });
  });

  it("begins no item after one that failed, and says how many did", async () => {
    expect(await walk(each(), { list, ends: { "e 1": "failed" } })).toMatchObject({
      log: ["call e 0", "call e 1", "failed e"],
      end: { code: "bad", message: "1 of 4 items failed, the first with: e 1 is bad" },
    });
  });

  it("does all items if failures are to be ignored, and fails after them", async () => {
    const ends = { "e 0": "failed", "e 2": "failed" } as const;
    expect(await walk(each({ onFailure: "continue" }), { list, ends })).toMatchObject({
      log: ["call e 0", "call e 1", "call e 2", "call e 3", "failed e"],
      end: done,
    });
  });

  it("in order, waits with the item that waits; side by side, for the first that is due", async () => {
    const ends = { "e 1": wait(9), "e 2": wait(4) };
    expect(await walk(each(), { list, ends })).toMatchObject({
      log: ["call e 0", "call e 1"],
      end: wait(9),
    });
    const { log, end } = await walk(each(), { list, ends, parallel: 2 });
    expect(log).not.toContain("succeeded e");
    expect([log.length, end]).toEqual([4, wait(4)]);
  });

  it("isn't ended while items are left, nor once another worker has the run", async () => {
    expect(await walk(each(), { list, stopsAfter: 2 })).toMatchObject({
      log: ["call e 0", "call e 1"],
      end: stop,
    });
    const lost = { kind: "lost" } as const;
    const ends = { "e 0": "failed", "e 1": lost } as const;
    expect((await walk(each(), { list, ends, parallel: 2 })).end).toEqual(lost);
  });

  it("isn't known if one of its items isn't", async () => {
    const ends = { "e 1": { kind: "unknown" } } as const;
    const { log, end } = await walk(each(), { list, ends });
    expect([log.at(-1), end]).toEqual(["call e 3", done]);
  });

  it.each([
    [{ a: 1 }, "forEach: data.items is not a list"],
    [
      Array.from({ length: 1_001 }, () => 1),
      "forEach: data.items has 1001 items, and at most 1000 are done",
    ],
  ])("fails if it has no list that can be done", async (given, message) => {
    expect((await walk(each(), { list: given })).end).toMatchObject({
      code: "list_invalid",
      message,
    });
  });

  it("ends the items in progress before an internal error is thrown", async () => {
    const ends = {
      get "e 0"(): StepEnd {
        throw new Error("broken");
      },
    };
    await expect(walk(each(), { list, ends, parallel: 2 })).rejects.toThrow("broken");
  });
});
