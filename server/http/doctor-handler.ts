import type { RequestListener } from "node:http";
import { doctorHeader, respondToDoctor } from "#lib/core/api/doctor-mark.ts";
import { deriveKey } from "#lib/core/people/seal/derive-key.ts";
import { type AllowList, isInNetworks } from "#lib/core/sending/address/allow-list.ts";

type DoctorOptions = { readonly secretKey: string; readonly trustedProxies: AllowList };

/** Tells `doctor` of this installation what the listener sees of its request, and no one else. */
export function createDoctorHandler(
  { secretKey, trustedProxies }: DoctorOptions,
  handle: RequestListener,
): RequestListener {
  const key = deriveKey(secretKey, "doctor");
  return (request, response) => {
    const mark = request.headers[doctorHeader];
    if (typeof mark === "string") {
      const peer = request.socket.remoteAddress ?? "";
      const seen = {
        peer,
        isTrusted: isInNetworks(peer, trustedProxies),
        hasForwardedFor: request.headers["x-forwarded-for"] !== undefined,
        host: request.headers.host ?? "",
      };
      const answer = respondToDoctor(key, mark, seen, Date.now());
      if (answer !== null) response.setHeader(doctorHeader, answer);
    }
    handle(request, response);
  };
}
