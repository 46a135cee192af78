import { expect, it } from "vitest";
import { RowSource } from "#lib/web/route/row-source.ts";
import { respondWithRows } from "./respond-with-rows.ts";
import { type StreamEnd, streamRows } from "./stream-rows.ts";

const explain = () => ({ code: "internal", detail: "Something went wrong." });

/** A list of pages of one row each, which counts the pages read. */
function createSource(pageCount: number, failAt = Number.POSITIVE_INFINITY) {
  const seen = { read: 0, isClosed: false };
  async function* readPages() {
    try {
      for (let page = 0; page < pageCount; page += 1) {
        if (page === failAt) throw new Error("lost");
        seen.read += 1;
        yield [{ id: page, name: "=1+1" }];
      }
    } finally {
      seen.isClosed = true;
    }
  }
  return { seen, rows: new RowSource(["id", "name"], readPages()) };
}

const readAll = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

it("a page is only read once the one before was taken", async () => {
  const { seen, rows } = createSource(1_000);
  const reader = streamRows(rows, { format: "ndjson", explain }).getReader();
  expect(seen.read).toBe(0);
  for (let taken = 1; taken <= 1_000; taken += 1) {
    await reader.read();
    expect(seen.read).toBe(taken);
  }
  expect(await reader.read()).toEqual({ done: true, value: undefined });
});

it("nothing is read once the client is gone", async () => {
  const { seen, rows } = createSource(1_000);
  const ends: StreamEnd[] = [];
  const stream = streamRows(rows, { format: "csv", explain, onEnd: (end) => ends.push(end) });
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel();
  expect([seen, ends]).toEqual([{ read: 1, isClosed: true }, [{ kind: "canceled" }]]);
});

it("a client that leaves while a page is read is no error", async () => {
  const reading = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  async function* readPages() {
    reading.resolve();
    await left.promise;
    yield [{ id: 1 }];
  }
  const ends: StreamEnd[] = [];
  const errors: unknown[] = [];
  const stream = streamRows(new RowSource(["id"], readPages()), {
    format: "ndjson",
    explain: (error) => {
      errors.push(error);
      return explain();
    },
    onEnd: (end) => ends.push(end),
  });
  const reader = stream.getReader();
  const read = reader.read();
  await reading.promise;
  const canceled = reader.cancel();
  left.resolve();
  await Promise.all([read, canceled]);
  expect([ends, errors]).toEqual([[{ kind: "canceled" }], []]);
});

it("CSV has the columns first, also of an empty list, and a mark if asked", async () => {
  const two = createSource(2);
  expect(await readAll(streamRows(two.rows, { format: "csv", explain }))).toBe(
    "id,name\r\n0,'=1+1\r\n1,'=1+1\r\n",
  );
  const none = createSource(0);
  const stream = streamRows(none.rows, { format: "csv", hasMark: true, explain });
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  expect(Buffer.from(bytes).toString()).toBe("\ufeffid,name\r\n");
});

it("an error ends NDJSON with its code, and fails a CSV", async () => {
  const ends: StreamEnd[] = [];
  const onEnd = (end: StreamEnd) => ends.push(end);
  const text = await readAll(
    streamRows(createSource(5, 2).rows, { format: "ndjson", explain, onEnd }),
  );
  expect(text.trimEnd().split("\n")).toEqual([
    '{"id":0,"name":"=1+1"}',
    '{"id":1,"name":"=1+1"}',
    '{"error":{"code":"internal","detail":"Something went wrong."}}',
  ]);
  const csv = streamRows(createSource(5, 2).rows, { format: "csv", explain, onEnd });
  await expect(readAll(csv)).rejects.toThrow("lost");
  const failed = { kind: "failed", detail: "Something went wrong." };
  expect(ends).toEqual([failed, failed]);
});

it("an export ends with an error at its maximum of rows", async () => {
  const explainCode = (error: unknown) => ({ code: (error as { code: string }).code, detail: "" });
  const options = { format: "ndjson", maxRows: 3, explain: explainCode } as const;
  const lines = async (count: number) =>
    (await readAll(streamRows(createSource(count).rows, options))).trimEnd().split("\n");
  expect(await lines(3)).toHaveLength(3);
  expect((await lines(4)).slice(3)).toEqual(['{"error":{"code":"export_too_large","detail":""}}']);
});

it("an account has few exports at a time, and gets the place of one that has ended back", async () => {
  const respond = (accountId: string, isHead = false) =>
    respondWithRows(async () => createSource(2).rows, {
      accountId,
      format: "ndjson",
      explain,
      isHead,
    });
  const open = [await respond("a"), await respond("a"), await respond("a"), await respond("a")];
  await expect(respond("a")).rejects.toMatchObject({ code: "rate_limited" });
  await respond("b");
  await open[0]?.text();
  await open[1]?.body?.cancel();
  await respond("a", true);
  await expect(
    respondWithRows(() => Promise.reject(new Error("lost")), {
      accountId: "a",
      format: "csv",
      explain,
    }),
  ).rejects.toThrow("lost");
  open.push(await respond("a"), await respond("a"));
  await expect(respond("a")).rejects.toMatchObject({ code: "rate_limited" });
});
