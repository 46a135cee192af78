import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { SavedCredential } from "#lib/core/sending/credential/saved-credential.ts";
import { readSigningKey, signEvent } from "#lib/core/sending/sign-event.ts";
import type { AuthOf } from "#lib/schema/act/credential.ts";
import type { CallResult } from "../call-result.ts";
import type { HttpClient } from "../http-client.ts";
import { toIdentity } from "../identity-connections.ts";
import { AccessTokens, maxTokenMs } from "./access-tokens.ts";

export type CredentialCall = {
  /** The request as sent. */
  readonly request: OutgoingRequest;
  readonly result: CallResult;
  /** Secrets that the request was sent with, in addition to those of the credential. */
  readonly secretValues: readonly string[];
};

type CallOptions = {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly maxResponseBytes?: number;
  readonly isOnce?: boolean;
};

/** Makes calls with saved credentials. A credential is only sent to its own origin. */
export class CredentialCalls {
  readonly #client: HttpClient;
  readonly #tokens: AccessTokens;

  constructor(client: HttpClient) {
    this.#client = client;
    this.#tokens = new AccessTokens(client);
  }

  async call(
    request: OutgoingRequest,
    credential: SavedCredential,
    options: CallOptions,
  ): Promise<CredentialCall> {
    const { auth, id, version, origin } = credential;
    if (URL.parse(request.url)?.origin !== origin)
      return fail(request, `The credential is for ${origin}, and the URL isn't.`, 0);
    const key = `${id}.${version}`;
    switch (auth.type) {
      case "oauth2":
        return await this.#callWithToken(request, { key, auth }, options);
      case "hmac": {
        const signed = sign(request, auth);
        return { ...plain, request: signed, result: await this.#client.call(signed, options) };
      }
      case "aws": {
        const signed = await signAws(request, auth);
        return { ...plain, request: signed, result: await this.#client.call(signed, options) };
      }
      default: {
        const identity = toIdentity(credential);
        const withIdentity = identity === null ? options : { ...options, identity };
        return { ...plain, request, result: await this.#client.call(request, withIdentity) };
      }
    }
  }

  /** The token, the call, and the repeat after a 401 share one deadline. */
  async #callWithToken(
    request: OutgoingRequest,
    owner: { readonly key: string; readonly auth: AuthOf<"oauth2"> },
    { timeoutMs, ...others }: CallOptions,
  ): Promise<CredentialCall> {
    const startedAt = performance.now();
    const elapsedMs = () => performance.now() - startedAt;
    const leftMs = () => Math.max(1, Math.ceil(timeoutMs - elapsedMs()));
    const secretValues: string[] = [];
    let refused: string | undefined;
    for (;;) {
      const found = await this.#tokens.get(owner, Math.min(leftMs(), maxTokenMs), refused);
      if (!found.ok) return { ...fail(request, found.message, elapsedMs()), secretValues };
      secretValues.push(found.token);
      const sent = withHeader(request, ["Authorization", `Bearer ${found.token}`]);
      const options = { ...others, timeoutMs: leftMs() };
      const result = { ...(await this.#client.call(sent, options)), durationMs: elapsedMs() };
      if (!result.ok || result.response.status !== 401 || refused !== undefined)
        return { request: sent, result, secretValues };
      refused = found.token;
    }
  }
}

const plain = { secretValues: [] };

/** Signed like a sent event, so that receivers need one verification. */
function sign(request: OutgoingRequest, { secret }: AuthOf<"hmac">): OutgoingRequest {
  const id = request.headers.find(([name]) => name.toLowerCase() === "idempotency-key")?.[1] ?? "";
  const signed = signEvent({
    id,
    timestamp: Math.floor(Date.now() / 1000),
    body: request.body ?? new Uint8Array(),
    keys: [readSigningKey("hmac", secret)],
  });
  return signed.reduce(withHeader, request);
}

/** Sets a header, replacing any with the same name. */
function withHeader(
  request: OutgoingRequest,
  header: readonly [name: string, value: string],
): OutgoingRequest {
  const name = header[0].toLowerCase();
  const others = request.headers.filter(([other]) => other.toLowerCase() !== name);
  return { ...request, headers: [...others, header] };
}

function fail(request: OutgoingRequest, message: string, durationMs: number): CredentialCall {
  const error = { code: "credential", message } as const;
  return { ...plain, request, result: { ok: false, error, response: null, durationMs } };
}

/** Signs a request, with all of its headers and its body, as AWS asks for: Signature Version 4. */
async function signAws(
  request: OutgoingRequest,
  { accessKeyId, secretAccessKey, region, service }: AuthOf<"aws">,
): Promise<OutgoingRequest> {
  const body = request.body ?? new Uint8Array();
  const signer = new AwsV4Signer({
    ...{ accessKeyId, secretAccessKey, region, service },
    method: request.method,
    url: request.url,
    headers: [
      ...request.headers.map(([name, value]): [string, string] => [name, value]),
      ["x-amz-content-sha256", createHash("sha256").update(body).digest("hex")],
    ],
    body: new Uint8Array(body),
  });
  const signed = await signer.sign();
  return { ...request, url: signed.url.toString(), headers: [...signed.headers.entries()] };
}
