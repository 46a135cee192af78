import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The baseline: `node:http` that reads the body, sends a response as long as an acceptance, and
 * does nothing else.
 */
const acceptance = Buffer.from(
  JSON.stringify({ status: "accepted", deliveryId: "01a1fd20-7031-7741-adcb-0b1fe751179a" }),
);

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    Buffer.concat(chunks);
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": acceptance.byteLength,
    });
    response.end(acceptance);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit(0));
