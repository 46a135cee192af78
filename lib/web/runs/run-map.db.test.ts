import { beforeAll, expect, it } from "vitest";
import { getAction } from "#lib/db/actions/actions.ts";
import type { RunStepRecord } from "#lib/db/runs/run-steps.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { readRunMap } from "./delivery-runs.ts";

const api = withApi();
let actionId: string;

const pause = { key: "pause", kind: "delay", ms: 1_000 };
const log = { key: "log", kind: "delay", ms: 2_000 };
const shape = { key: "shape", kind: "transform", code: "export default () => 1" };

beforeAll(async () => {
  const { id: hookId } = await api.createHook();
  actionId = await api.createAction(hookId, {
    request: undefined,
    steps: [pause, { ...shape, onFailure: { steps: [log] } }],
  });
  await api.send("PATCH", `/actions/${actionId}`, { steps: [shape] });
});

const began = (key: string, state: RunStepRecord["state"], item: number | null = null) => ({
  ...{ key, item, state, attemptCount: 1, nextAttemptAt: null, startedAt: new Date(0) },
  ...{ durationMs: 1, requestJson: null, responseJson: null, error: null },
});

async function read(version: number | null, records: readonly RunStepRecord[]) {
  const { id } = api.account;
  const action = await getAction(api.db, id, actionId);
  return await readRunMap(testContext(api.db, id), { action, version }, records);
}

it("a run is drawn with the steps of its own version, and what became of each", async () => {
  const records = [
    began("pause", "succeeded"),
    began("shape", "failed"),
    began("shape", "reset", 0),
  ];
  expect(await read(1, records)).toMatchObject([
    { key: "pause", kind: "delay", state: "succeeded", onFailure: "stop", branch: [] },
    {
      key: "shape",
      kind: "transform",
      state: "failed",
      onFailure: "steps",
      branch: [{ key: "log", state: null }],
    },
  ]);
  expect(await read(2, records)).toMatchObject([{ key: "shape", onFailure: "stop" }]);
  expect(await read(null, [])).toMatchObject([{ key: "shape", state: null }]);
});

it("a run whose version is no longer stored isn't drawn", async () => {
  expect(await read(9, [])).toBeNull();
});
