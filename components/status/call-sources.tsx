import { CopyLine } from "#components/ui/text/copy-line.tsx";

/** The addresses that calls come from, for the firewall of a receiver. Nothing: they aren't known. */
export function CallSources({ addresses }: { addresses: readonly string[] }) {
  if (addresses.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-2" aria-labelledby="call-sources">
      <h2 id="call-sources" className="text-lg font-semibold tracking-tight">
        Where calls come from
      </h2>
      <p className="text-sm text-muted-foreground">
        Allow {addresses.length === 1 ? "this address" : "these addresses"} if a firewall is in
        front of the receiver. Verify the signature of each event all the same.
      </p>
      <div className="max-w-2xl">
        <CopyLine text={addresses.join(", ")} what="addresses" />
      </div>
    </section>
  );
}
