// The handler: verifies, queues, responds.
import Fastify from "fastify";
import Stripe from "stripe";

const { QUEUE, STORE_URL, PORT, STRIPE_SECRET, CALLS } = process.env;
const { openQueue } = await import(`./${QUEUE}.mjs`);
const add = await openQueue(STORE_URL, Number(CALLS));
const { webhooks } = new Stripe("sk_test_none", { telemetry: false });

const app = Fastify();
app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
  done(null, body),
);
app.post("/catch", async (request, reply) => {
  const event = readEvent(request);
  if (event === undefined) return reply.code(400).send({ error: "signature" });
  await add(event);
  return { received: true };
});
await app.listen({ port: Number(PORT), host: "127.0.0.1" });

function readEvent({ body, headers }) {
  try {
    return webhooks.constructEvent(body, headers["stripe-signature"], STRIPE_SECRET);
  } catch {
    return undefined;
  }
}
