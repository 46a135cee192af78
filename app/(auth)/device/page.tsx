import type { Metadata } from "next";
import { DeviceSignIn } from "#components/sign-in/device-sign-in.tsx";
import { TimeZoneProvider } from "#components/ui/time/time-zone.tsx";
import {
  allowDeviceSignInCommand,
  denyDeviceSignInCommand,
  readDeviceSignInCommand,
} from "#lib/web/auth/commands.ts";
import { requireSession } from "#lib/web/auth/session.ts";

export const metadata: Metadata = { title: "Sign in a tool" };

type DevicePageProps = {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** Lets a person allow a command line to act as them. A code in the URL is only filled in. */
export default async function DevicePage({ searchParams }: DevicePageProps) {
  const { email, timeZone } = await requireSession();
  const { user_code: code } = await searchParams;
  const commands = {
    read: readDeviceSignInCommand,
    allow: allowDeviceSignInCommand,
    deny: denyDeviceSignInCommand,
  };
  return (
    <TimeZoneProvider timeZone={timeZone}>
      <DeviceSignIn
        email={email}
        givenCode={typeof code === "string" ? code.slice(0, 20) : ""}
        commands={commands}
      />
    </TimeZoneProvider>
  );
}
