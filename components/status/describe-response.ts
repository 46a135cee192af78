/** The meanings of statuses of receivers. Others are only numbers. */
const words: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  408: "Timed out",
  409: "Conflict",
  410: "Gone",
  413: "Too large",
  415: "Type not supported",
  422: "Refused",
  429: "Too many requests",
  500: "Server error",
  502: "Bad gateway",
  503: "Unavailable",
  504: "Gateway timed out",
};

/** A response that failed, in a few words for a list: "Refused (422)", or else "HTTP 400". */
export function describeResponse(status: number): string {
  const phrase = words[status];
  return phrase === undefined ? nameStatus(status) : `${phrase} (${status})`;
}

/** The status of a response. Those below 100 are error codes of Kafka. */
export function nameStatus(status: number): string {
  return `${status < 100 ? "Error" : "HTTP"} ${status}`;
}
