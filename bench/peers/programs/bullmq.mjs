// BullMQ: the event is the job, and its id the job's, so a second copy changes nothing.
import { Queue, Worker } from "bullmq";

export async function openQueue(url, calls) {
  const queue = new Queue("events", { connection: { url } });
  const options = {
    attempts: 8,
    backoff: { type: "exponential", delay: 5_000 },
    removeOnComplete: { age: 86_400 },
  };
  return async (event) => {
    for (let call = 0; call < calls; call += 1)
      await queue.add("event", event, { ...options, jobId: `${event.id}-${call}` });
  };
}

export async function startWorker(url, call) {
  const connection = { url, maxRetriesPerRequest: null };
  await new Worker("events", ({ data }) => call(data), {
    connection,
    concurrency: 128,
  }).waitUntilReady();
}
