import { createServer } from "node:http";
import { expect, it } from "vitest";
import { callActionSchema } from "#lib/schema/action/action.ts";
import { startTestWorker } from "../testing/start-worker.ts";
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
});
