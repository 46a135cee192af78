/** The title of content that appears by itself, with a pulse. */
export function WaitingTitle({ children }: { children: string }) {
  return (
    <div className="flex items-center gap-3">
      <span aria-hidden className="relative flex size-2.5">
        <span
          className={
            "absolute inline-flex size-full animate-ping rounded-full " +
            "bg-primary opacity-60 motion-reduce:animate-none"
          }
        />
        <span className="inline-flex size-2.5 rounded-full bg-primary" />
      </span>
      <h2 className="font-semibold">{children}</h2>
    </div>
  );
}
