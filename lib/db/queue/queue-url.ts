/**
 * The database's URL with settings for the connections that run the queue's statements. Every one of them looks up a few rows by an
 * index. A plan is made when the table is small or its statistics are old and then kept: it may read the whole
 * table, and does so until the next analyze, long after a burst has filled it. And the estimates for a batch can wake the JIT compiler,
 * which takes a hundred times longer than the statement.
 */
export function toQueueUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const options = [url.searchParams.get("options"), "-c enable_seqscan=off", "-c jit=off"];
  url.searchParams.set("options", options.filter((option) => option !== null).join(" "));
  // `+` for a space is the form encoding; libpq and pg decode percent signs only.
  url.search = url.search.replaceAll("+", "%20");
  return url.toString();
}
