/** The shape of what comes, so that nothing jumps. */
export default function Loading() {
  return (
    <div role="status" aria-label="Loading" className="grid animate-pulse gap-4 motion-reduce:animate-none">
      <div className="h-8 w-40 rounded-md bg-muted" />
      <div className="h-28 rounded-lg bg-muted" />
      <div className="h-28 rounded-lg bg-muted" />
      <div className="h-64 rounded-lg bg-muted" />
    </div>
  );
}
