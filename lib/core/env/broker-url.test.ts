import { expect, test } from "vitest";
import { nameBroker, readBrokerUrl } from "./broker-url.ts";

const usual = { user: "guest", password: "guest", vhost: "/", queue: "catchment.spool" };

test.each([
  ["amqp://localhost", { ...usual, isTls: false, hosts: [{ host: "localhost", port: 5672 }] }],
  ["amqps://localhost/", { ...usual, isTls: true, hosts: [{ host: "localhost", port: 5671 }] }],
  [
    "amqps://u:p%40s@one:1,[::1]:2,three/shop%2Fa?queue=a.b&cacertfile=/ca.pem",
    {
      ...{
        isTls: true,
        user: "u",
        password: "p@s",
        vhost: "shop/a",
        queue: "a.b",
        caFile: "/ca.pem",
      },
      hosts: [
        { host: "one", port: 1 },
        { host: "::1", port: 2 },
        { host: "three", port: 5671 },
      ],
    },
  ],
])("%s is read", (url, expected) =>
  expect(readBrokerUrl(url)).toMatchObject({ ok: true, ...expected }),
);

test.each([
  ["amqp://", /^must be a URL like/],
  ["amqp://user:secret@host:0", /^must be a URL like/],
  ["amqp://user:secret@host:1,,other", /^must be a URL like/],
  ["amqp://user:secret@host/a/b", /^must be a URL like/],
  ["amqp://user:secret%zz@host", /percent sign/],
  ["amqp://user:secret@host?verify=verify_none", /other than queue and cacertfile/],
  ["amqp://user:secret@host?queue=amq.x", /queue whose name/],
  ["amqp://user:secret@host?queue=a%20b", /queue whose name/],
  ["amqp://user:secret@host?cacertfile=/ca.pem", /needs amqps/],
  ["amqps://user:secret@host?cacertfile=ca.pem", /absolute path/],
])("%s is rejected, and its password isn't repeated", (url, message) => {
  const result = readBrokerUrl(url);
  expect(result).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  expect(JSON.stringify(result)).not.toContain("secret");
});

test("its name has the hosts, and no password", () => {
  const result = readBrokerUrl("amqps://u:secret@one,[::1]:2/x");
  expect(result.ok && nameBroker(result)).toBe("one:5671, [::1]:2");
});
