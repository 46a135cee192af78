import { createServer } from "node:http";
import { expect, it } from "vitest";
import { replayJob } from "#lib/jobs/kinds/replay.ts";
import { workAll } from "#lib/jobs/testing/work.ts";
import { callActionSchema } from "#lib/schema/act/action.ts";
import { createAction } from "#lib/services/actions/write-actions.ts";
import { startReplay } from "#lib/services/deliveries/replay-deliveries.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();

type Upload = { readonly length: string | undefined; readonly form: FormData };

/** A receiver that reads uploads with a parser of its own. */
async function startUploads(respond: (count: number) => number) {
  const uploads: Upload[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    const form = await new Response(Buffer.concat(chunks), { headers }).formData();
    uploads.push({ length: request.headers["content-length"], form });
    response.writeHead(respond(uploads.length)).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    uploads,
    url: `http://127.0.0.1:${port}/upload`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

it("a call sends fields and files, the same ones with each attempt, and stores what it sent", async () => {
  await using receiver = await startUploads((count) => (count === 1 ? 500 : 200));
  await using _worker = startTestWorker({ url: queue.url });
  const pdf = Buffer.from([0x25, 0x50, 0, 255, 13, 10, 45, 45]);
  const { request, retry } = callActionSchema.parse({
    name: "Upload",
    request: {
      method: "POST",
      url: receiver.url,
      multipart: [
        { name: "id", value: "{{ id }}" },
        { name: "pdf", content: "base64", value: "{{ data.pdf }}", fileName: "{{ id }}.pdf" },
        { name: "raw", content: "delivery", fileName: "raw.json", contentType: "application/json" },
      ],
    },
    retry: { maxAttempts: 2, initialDelayMs: 100 },
  });
  const target = await queue.addActionQueue({ request, retry });
  const body = JSON.stringify({ id: "evt_7", data: { pdf: pdf.toString("base64") } });
  const [id = ""] = await queue.addRuns(target, 1, {
    body,
    headers: [["Content-Type", "application/json"]],
  });
  expect(await untilFinished(id)).toMatchObject({ state: "succeeded" });
  expect(receiver.uploads).toHaveLength(2);
  expect(new Set(receiver.uploads.map(({ length }) => length)).size).toBe(1);
  for (const { form } of receiver.uploads) {
    const [file, raw] = [form.get("pdf"), form.get("raw")];
    if (!(file instanceof File && raw instanceof File)) throw new Error("a file is missing");
    expect([form.get("id"), file.name, raw.type]).toEqual([
      "evt_7",
      "evt_7.pdf",
      "application/json",
    ]);
    expect(Buffer.from(await file.arrayBuffer()).equals(pdf)).toBe(true);
    expect(await raw.text()).toBe(body);
  }
  const attempts = await queue.readAttempts(id);
  const stored = attempts.map(({ request: json }) => JSON.parse(json ?? "") as { body: string });
  expect(stored).toHaveLength(2);
  for (const shown of stored) {
    expect(shown).toMatchObject({ bodyTruncated: false, bodyBinary: true });
    expect(shown.body).toContain('name="id"\r\n\r\nevt_7\r\n');
    expect(shown.body).toContain('filename="evt_7.pdf"');
    expect(shown.body).toContain("octet-stream\r\n\r\n[binary, 8 bytes]\r\n");
    expect(shown.body).toContain(body);
  }
});

it("a call with a binary part is replayed as it was, also one that an earlier version stored", async () => {
  await using receiver = await startUploads(() => 200);
  await using _worker = startTestWorker({ url: queue.url });
  const { accountId, hookId } = await queue.addActionQueue();
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const context = testContext(queue.db, accountId, { sealer: testSealer, variables });
  const { request } = callActionSchema.parse({
    name: "Upload",
    request: {
      method: "POST",
      url: receiver.url,
      multipart: [{ name: "f", content: "base64", value: "{{ payload.file }}", fileName: "a.bin" }],
    },
  });
  const { id: targetId } = await createAction(context, { id: hookId, name: "Upload", request });
  const body = JSON.stringify({ file: Buffer.of(0x80, 0xff).toString("base64") });
  const [runId = ""] = await queue.addRuns({ accountId, hookId, targetId }, 1, {
    body,
    headers: [["Content-Type", "application/json"]],
  });
  expect(await untilFinished(runId)).toMatchObject({ state: "succeeded" });
  const replay = async () => {
    await startReplay(context, { filter: { hookId }, as: "then", actionIds: [targetId] });
    await workAll(replayJob(queue.db));
    const [row] = await queue.db.$queryRaw<{ id: string }[]>`
      select run_id as id from bulk_job_runs order by run_id desc limit 1`;
    return await untilFinished(row?.id ?? "");
  };
  expect((await replay()).state).toBe("succeeded");
  await queue.db.$executeRaw`
    update runs set request = replace(replace(request, '[binary, 2 bytes]', ${"\ufffd\ufffd"}), ',"bodyBinary":true', '')`;
  expect((await replay()).state).toBe("succeeded");
  expect(receiver.uploads).toHaveLength(3);
  for (const { form } of receiver.uploads) {
    const file = form.get("f");
    expect(file instanceof File && [...(await file.bytes())]).toEqual([0x80, 0xff]);
  }
  // The size of a file is no file.
  await queue.db.$executeRaw`update runs set request = replace(request, 'a.bin', 'b.bin')`;
  expect(await replay()).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("request_not_repeatable"),
  });
});
