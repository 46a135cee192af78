import { expect, test } from "vitest";
import { BrokerError, toBrokerError } from "./broker-error.ts";

test.each([
  [Object.assign(new Error("refused"), { code: "ECONNREFUSED" }), "BROKER_AWAY", "refused"],
  [new Error("Expected ConnectionOpenOk; got <x>"), "BROKER_AWAY", /no such virtual host/],
  [new Error('403 (ACCESS-REFUSED) with message "…"'), "BROKER_SETUP", /ACCESS-REFUSED/],
  [Object.assign(new Error("other"), { code: 406 }), "BROKER_SETUP", "other"],
  [
    Object.assign(new Error("self"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
    "BROKER_SETUP",
    "self",
  ],
  [
    Object.assign(new Error("SSL wrong version number"), { code: "ERR_SSL_WRONG_VERSION_NUMBER" }),
    "BROKER_SETUP",
    "This port doesn't speak TLS",
  ],
])("%s says what an operator has to know", (error, code, message) => {
  const result = toBrokerError(error);
  expect(result.code).toBe(code);
  expect(result.message).toMatch(message);
});

test("an error of our own stays as it is", () => {
  const error = new BrokerError("BROKER_TIMEOUT", "late");
  expect(toBrokerError(error)).toBe(error);
});
