import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { ThemeProvider } from "#components/shell/theme-provider.tsx";
import { IconSprite } from "#components/ui/icon.tsx";
import { nonceHeader } from "#lib/web/request/content-security-policy.ts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Catchment", template: "%s · Catchment" },
  description: "Catches webhooks and turns them into calls to your systems.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Reading headers makes every page dynamic: a prerendered one could not carry the policy's nonce.
  const nonce = (await headers()).get(nonceHeader) ?? "";
  return (
    // The theme's class is set before hydration.
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <body className="min-h-dvh antialiased">
        <IconSprite />
        <ThemeProvider nonce={nonce}>{children}</ThemeProvider>
      </body>
    </html>
  );
}
