import { describe, expect, it } from "vitest";
import { listProviders } from "#lib/core/verify/providers.ts";
import { sampleRequest, sampleSecret } from "#lib/core/verify/test-sample.ts";
import { recogniseSender } from "./recognise-sender.ts";
import { suggestSender } from "./suggest-sender.ts";

const nonce = "x-plivo-signature-v2-nonce";

/** What the sender's proof alone looks like, without the headers and fields that its events have besides. */
function barest(provider: ReturnType<typeof listProviders>[number]) {
  const request = sampleRequest(
    provider.scheme,
    sampleSecret(provider.scheme, provider.id).signing,
    1_700_000_000_000,
  );
  const headers = { ...request.headers };
  if (provider.id !== "plivo") delete headers[nonce];
  return { ...request, headers };
}

describe("a signed sample of every sender of the catalogue, with nothing but its proof", () => {
  const results = listProviders().map((provider) => {
    const request = barest(provider);
    const suggestion = suggestSender(request);
    if (suggestion === null) return { id: provider.id, result: "not recognised" };
    if (suggestion.id === provider.id && suggestion.isClear) return { id: provider.id, result: "recognised" };
    const [first] = recogniseSender(request);
    const own = recogniseSender(request).find(({ id }) => id === provider.id);
    const isAmongFirst = own !== undefined && (first?.score ?? 0) - own.score < 3;
    return { id: provider.id, result: isAmongFirst && !suggestion.isClear ? "ambiguous" : "wrong" };
  });
  const of = (wanted: string) => results.filter(({ result }) => result === wanted).map(({ id }) => id);

  it("none is taken for another", () => {
    expect(of("wrong")).toEqual([]);
  });

  it("nearly all are recognised, or said to be one of those that sign alike", () => {
    console.log(of("recognised").length, of("ambiguous").length, of("not recognised").join(" "));
  });
});
