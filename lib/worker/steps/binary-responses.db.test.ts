import { expect, it } from "vitest";
import { listRunSteps } from "#lib/db/runs/run-steps.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { call, withSteps } from "./testing/with-steps.ts";

const { queue, untilFinished, run } = await withSteps();

const png = Buffer.from("89504e470d0a1a0a0000000d", "hex");
const latin1 = "text/plain; charset=iso-8859-1";

it("a binary response is stored as its size, and a later step sends none of it", async () => {
  await using receiver = await startReceiver((response, { path }) => {
    if (path === "/image") response.setHeader("content-type", "image/png").end(png);
    else if (path === "/text")
      response.setHeader("content-type", latin1).end(Buffer.from("é", "latin1"));
    else response.end();
  });
  await using _worker = startTestWorker({ url: queue.url });
  const body = (value: string) => ({ body: { value } });
  const made = await run([
    call("image", receiver),
    call("text", receiver),
    call(
      "kind",
      receiver,
      {},
      body("{{ steps.image.headers.content-type }} {{ steps.text.body }}"),
    ),
    call("copy", receiver, {}, body("{{ steps.image.body }}")),
  ]);
  expect(await untilFinished(made.id)).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("steps.image got a binary body, which isn't text"),
  });
  expect(receiver.calls.map(({ path }) => path)).toEqual(["/image", "/text", "/kind"]);
  expect(receiver.calls.at(-1)?.body.toString()).toBe('{"value":"image/png é"}');
  const steps = await listRunSteps(queue.db, made.accountId, made.id);
  const shown = steps.map(({ responseJson }) => JSON.parse(responseJson ?? "{}"));
  expect(shown.slice(0, 2)).toMatchObject([
    { body: "[binary, 12 bytes]", bodyBinary: true, truncated: false },
    { body: "é" },
  ]);
  expect(shown[1]).not.toHaveProperty("bodyBinary");
});
