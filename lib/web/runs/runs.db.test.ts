import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { finishRuns } from "#lib/db/queue/finish-runs.ts";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;
let hookId: string;
let actionId: string;
beforeAll(async () => {
  hookId = (await send("POST", "/hooks", { name: "n" })).body.id;
  actionId = (await send("POST", `/hooks/${hookId}/actions`, { name: "a", request })).body.id;
});

const request = { method: "POST", url: "https://example.com" };
const idsOf = (response: { body: { data: { id: string }[] } }) =>
  response.body.data.map(({ id }) => id);

async function createRun(): Promise<{ id: string; deliveryId: string }> {
  const deliveryId = await storeDelivery(api.db, api.account.id, hookId);
  const [{ id } = { id: "" }] = await readRuns(api.db, { deliveryId });
  return { id, deliveryId };
}

/** Leases a run as a worker does when it claims it. */
async function lease(id: string): Promise<string> {
  const leaseId = newId();
  await api.db.$executeRaw`
    update queue set lease_id = ${leaseId}::uuid, leased_until = now() + interval '30 s', worker_id = 1 where id = ${id}::uuid`;
  return leaseId;
}

async function finish(
  id: string,
  leaseId: string,
  state: "succeeded" | "failed" | "retrying",
  number = 1,
) {
  const next =
    state === "retrying"
      ? { state, reason: { code: "retry", detail: "503" }, delayMs: 60_000 }
      : { state, reason: null };
  const message = { headers: [["X-A", "1"]], body: "hi" };
  const [run] = await readRuns(api.db, { id });
  return finishRuns(api.db, [
    {
      id,
      leaseId,
      accountId: api.account.id,
      targetId: run?.targetId ?? "",
      kind: "action",
      hookId: run?.hookId ?? "",
      deliveryId: run?.deliveryId ?? "",
      hasOwnId: false,
      attemptCount: number,
      next,
      attempt: {
        id: newId(),
        number,
        startedAtMs: Date.now(),
        durationMs: 12,
        requestJson: JSON.stringify({
          method: "POST",
          url: "https://example.com",
          ...message,
          bodyTruncated: false,
        }),
        responseJson: JSON.stringify({ status: 503, ...message, truncated: false }),
        errorCode: null,
        errorMessage: null,
      },
    },
  ]);
}

describe("GET /runs/{id}", () => {
  it("shows the run with its attempts", async () => {
    const { id, deliveryId } = await createRun();
    await finish(id, await lease(id), "retrying");
    const { body } = await send("GET", `/runs/${id}`);
    expect(body).toMatchObject({
      id,
      deliveryId,
      actionId,
      eventId: null,
      subscriptionId: null,
      status: "retrying",
      reason: "retry: 503",
      attemptCount: 1,
      finishedAt: null,
      attempts: [
        {
          number: 1,
          durationMs: 12,
          late: false,
          error: null,
          request: {
            method: "POST",
            url: "https://example.com",
            headers: { "x-a": "1" },
            body: "hi",
          },
          response: { status: 503, headers: { "x-a": "1" }, body: "hi", truncated: false },
        },
      ],
    });
    expect(Date.parse(body.nextAttemptAt) - Date.now()).toBeGreaterThan(50_000);
  });

  it("shows what an earlier version stored of a binary response as its declared size", async () => {
    const { id } = await createRun();
    await finish(id, await lease(id), "succeeded");
    const sized = [
      ["Content-Type", "image/png"],
      ["Content-Length", "1234"],
    ];
    const old = { status: 200, headers: sized, body: "\ufffdPNG\r\n\u001a", truncated: false };
    await api.db
      .$executeRaw`update runs set response = ${JSON.stringify(old)} where id = ${id}::uuid`;
    const { body } = await send("GET", `/runs/${id}`);
    expect(body.attempts[0].response).toMatchObject({
      body: "[binary, 1,234 bytes]",
      bodyBinary: true,
    });
  });

  it("the status follows from the lease, the hook and the action", async () => {
    const { id } = await createRun();
    const status = async () => (await send("GET", `/runs/${id}`)).body.status;
    expect(await status()).toBe("queued");
    await send("POST", `/hooks/${hookId}/pause`);
    expect(await status()).toBe("held");
    const leaseId = await lease(id);
    expect(await status()).toBe("running");
    await send("POST", `/hooks/${hookId}/resume`);
    await finish(id, leaseId, "retrying");
    expect(await status()).toBe("retrying");
    await send("PATCH", `/actions/${actionId}`, { enabled: false });
    expect(await status()).toBe("held");
    await send("PATCH", `/actions/${actionId}`, { enabled: true });
    await finish(id, await lease(id), "succeeded", 2);
    expect(await status()).toBe("succeeded");
  });
});

describe("GET /runs", () => {
  it("every filter finds what it says", async () => {
    const queued = await createRun();
    const failed = await createRun();
    await finish(failed.id, await lease(failed.id), "failed");
    const running = await createRun();
    await lease(running.id);
    const list = async (query: string) => idsOf(await send("GET", `/runs?${query}`));
    expect((await list("")).slice(0, 3)).toEqual([running.id, failed.id, queued.id]);
    expect(await list(`deliveryId=${failed.deliveryId}`)).toEqual([failed.id]);
    expect(await list(`deliveryId=${failed.deliveryId}&status=queued`)).toEqual([]);
    expect((await list(`actionId=${actionId}`)).slice(0, 2)).toEqual([running.id, failed.id]);
    expect(await list("status=running")).toEqual([running.id]);
    expect((await list("status=queued"))[0]).toBe(queued.id);
    expect(await list(`status=failed&actionId=${actionId}`)).toEqual([failed.id]);
    expect(await list("status=held")).toEqual([]);
    expect(await list(`actionId=${newId()}`)).toEqual([]);
    const two = `ids=${queued.id},${failed.id}`;
    expect(await list(two)).toEqual([failed.id, queued.id]);
    expect(await list(`${two}&status=failed`)).toEqual([failed.id]);
    expect(await list(`${two}&deliveryId=${queued.deliveryId}`)).toEqual([queued.id]);
    expect(await list(`ids=${newId()}`)).toEqual([]);
    expect(await list("subscriptionId=nonsense")).toEqual([]);
    await finish(running.id, newId(), "failed");
  });

  it("a rare status is found however many others there are, page by page", async () => {
    const other = await api.createAccount("many");
    await api.db.$executeRaw`
      with made as (
        insert into subscriptions (id, account_id, receiver_url, event_types)
        select gen_random_uuid(), ${other.id}::uuid, 'https://x.example', '{}' from generate_series(1, 4500)
        returning id
      )
      insert into queue (id, account_id, target_id, due_at)
      select uuid_v7_at(now() + row_number() over () * interval '1 ms'), ${other.id}::uuid, id, now() + interval '1 d'
      from made`;
    const oldest = await api.db.queuedRun.findFirstOrThrow({
      where: { accountId: other.id },
      orderBy: { id: "asc" },
    });
    await lease(oldest.id);
    const seen: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ""; cursor !== null; pages += 1) {
      const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const response = await api.call("GET", `/api/v1/runs?status=running${from}`, {
        token: other.token,
      });
      seen.push(...idsOf(response));
      cursor = response.body.nextCursor;
    }
    expect([seen, pages]).toEqual([[oldest.id], 1]);
  });
});

describe("POST /runs/{id}/retry", () => {
  it.each(["failed", "succeeded"] as const)(
    "a %s run goes back to the queue with its history",
    async (state) => {
      const { id } = await createRun();
      await finish(id, await lease(id), state);
      const { status, body } = await send("POST", `/runs/${id}/retry`);
      expect([status, body.status, body.finishedAt, body.reason]).toEqual([
        200,
        "queued",
        null,
        null,
      ]);
      expect(body.attempts).toHaveLength(1);
      expect(Date.parse(body.nextAttemptAt)).toBeLessThanOrEqual(Date.now() + 1000);
      const row = await api.db.queuedRun.findUniqueOrThrow({ where: { id } });
      expect(row).toMatchObject({ attemptCount: 1, crashCount: 0, leaseId: null });
    },
  );

  it("a run that waits for its next attempt waits no longer", async () => {
    const { id } = await createRun();
    await finish(id, await lease(id), "retrying");
    const { body } = await send("POST", `/runs/${id}/retry`);
    expect(Date.parse(body.nextAttemptAt)).toBeLessThanOrEqual(Date.now() + 1000);
  });

  it("one that is due, in flight, or without its action is unchanged", async () => {
    const { id } = await createRun();
    const due = await send("POST", `/runs/${id}/retry`);
    expect([due.status, due.body.detail]).toEqual([409, expect.stringContaining("already due")]);
    const leaseId = await lease(id);
    expect((await send("POST", `/runs/${id}/retry`)).body.detail).toContain("in progress");
    await finish(id, leaseId, "failed");
    const other = await send("POST", `/hooks/${hookId}/actions`, { name: "b", request });
    await api.db
      .$executeRaw`update runs set target_id = ${other.body.id}::uuid where id = ${id}::uuid`;
    await send("DELETE", `/actions/${other.body.id}`);
    expect((await send("POST", `/runs/${id}/retry`)).body.detail).toContain("deleted");
  });

  it("one of many concurrent retries wins", async () => {
    const { id } = await createRun();
    await finish(id, await lease(id), "failed");
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => send("POST", `/runs/${id}/retry`)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });
});

describe("POST /runs/{id}/cancel", () => {
  it("an open run ends", async () => {
    const { id } = await createRun();
    const { status, body } = await send("POST", `/runs/${id}/cancel`);
    expect([status, body.status, body.nextAttemptAt]).toEqual([200, "cancelled", null]);
    expect(body.finishedAt).not.toBeNull();
    expect((await send("POST", `/runs/${id}/cancel`)).status).toBe(409);
  });

  it("the result of an attempt in flight is recorded as late and changes nothing", async () => {
    const { id } = await createRun();
    const leaseId = await lease(id);
    await send("POST", `/runs/${id}/cancel`);
    expect(await finish(id, leaseId, "succeeded")).toEqual(new Set([id]));
    expect((await send("GET", `/runs/${id}`)).body).toMatchObject({
      status: "cancelled",
      attempts: [{ late: true }],
    });
  });

  it("a run that has ended is unchanged", async () => {
    const { id } = await createRun();
    await finish(id, await lease(id), "succeeded");
    const response = await send("POST", `/runs/${id}/cancel`);
    expect([response.status, response.body.detail]).toEqual([
      409,
      expect.stringContaining("succeeded"),
    ]);
  });
});
