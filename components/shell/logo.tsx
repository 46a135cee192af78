/** `isShort`: on phones, only screen readers get the name. */
export function Logo({ isShort = false }: { isShort?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6">
        <rect width="24" height="24" rx="6" className="fill-primary" />
        <path
          d={
            "M5 8.500c2.300 0 2.300 1.500 4.700 1.500S12 8.500 14.300 8.500 16.700 10 19 10M5 " +
            "13.500c2.300 0 2.300 1.500 4.700 1.500s2.300-1.500 4.600-1.500 2.400 1.500 4.700 1.500"
          }
          fill="none"
          strokeWidth="2"
          strokeLinecap="round"
          className="stroke-primary-foreground"
        />
      </svg>
      <span className={isShort ? "sr-only sm:not-sr-only" : undefined}>Catchment</span>
    </span>
  );
}
