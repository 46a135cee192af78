import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { TLSSocket } from "node:tls";

/** The result of one GET of a URL of this installation. */
export type Probe =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | undefined>>;
      /** Null: the URL isn't https. */
      readonly certificate: ProbedCertificate | null;
    }
  | { readonly ok: false; readonly code: string };

export type ProbedCertificate = {
  readonly expiresAt: Date;
  /** Why clients won't trust it, as Node's code. Null: they will. */
  readonly problem: string | null;
};

/**
 * Gets a URL that the operator configured, without the address guard: it may be on this machine. A
 * certificate that isn't trusted is reported instead of ending the request. Never throws.
 */
export function probeUrl(
  url: URL,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Probe> {
  return new Promise((resolve) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { headers, signal, agent: false, rejectUnauthorized: false };
    const request = send(url, options, (response) => {
      const { statusCode = 0, socket } = response;
      response.resume();
      const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      resolve({
        ok: true,
        status: statusCode,
        headers: Object.fromEntries(flat),
        certificate: socket instanceof TLSSocket ? readCertificate(socket) : null,
      });
      response.once("error", () => {});
    });
    request.once("error", (error: NodeJS.ErrnoException) =>
      resolve({ ok: false, code: signal.aborted ? "timeout" : (error.code ?? error.name) }),
    );
    request.end();
  });
}

function readCertificate(socket: TLSSocket): ProbedCertificate {
  const { valid_to: validTo } = socket.getPeerCertificate();
  const error: unknown = socket.authorizationError;
  return {
    expiresAt: new Date(validTo),
    problem: socket.authorized ? null : error instanceof Error ? readCode(error) : String(error),
  };
}

function readCode(error: Error): string {
  return "code" in error ? String(error.code) : error.message;
}
