// The worker: makes the call that our action makes.
import { Agent, request } from "undici";

const { QUEUE, STORE_URL, SINK_URL } = process.env;
const { startWorker } = await import(`./${QUEUE}.mjs`);
const dispatcher = new Agent({ connections: 128 });

await startWorker(STORE_URL, async ({ id, data: { object } }) => {
  const { statusCode, body } = await request(SINK_URL, {
    dispatcher,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      eventId: id,
      token: object.client_reference_id,
      amount: object.amount_total,
    }),
  });
  await body.dump();
  if (statusCode >= 300) throw new Error(`HTTP ${statusCode}`);
});
