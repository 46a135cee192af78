import Link from "next/link";
import { Logo } from "./logo.tsx";
import { NavLink } from "./nav-link.tsx";
import { SignOutButton } from "./sign-out-button.tsx";

export function AppHeader({ email, account }: { email: string; account: string }) {
  return (
    <header className="border-b bg-card">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-10 focus:rounded-md focus:bg-card focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-1 px-4 py-2.5 sm:px-6">
        <Link href="/" aria-label="Catchment, home" className="inline-flex rounded-md">
          <Logo />
        </Link>
        <nav
          aria-label="Main"
          className="order-last -mx-2.5 flex w-full gap-1 sm:order-none sm:mx-0 sm:w-auto"
        >
          <NavLink href="/">Hooks</NavLink>
          <NavLink href="/deliveries">Deliveries</NavLink>
          <NavLink href="/account/tokens">API tokens</NavLink>
        </nav>
        <div className="-mr-3.5 ml-auto flex min-w-0 items-center gap-2">
          <span className="hidden min-w-0 truncate text-sm text-muted-foreground md:inline" title={email}>
            {account} · {email}
          </span>
          <SignOutButton />
        </div>
      </div>
    </header>
  );
}
