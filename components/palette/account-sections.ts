/** A page below `/account`. */
export type AccountSection = {
  readonly href: string;
  readonly name: string;
  /** Other words by which the palette finds it. */
  readonly words: string;
};

type SectionGroup = { readonly title: string; readonly sections: readonly AccountSection[] };

/** The pages of the settings: one line each, for the list beside them and for the palette. */
export const accountSectionGroups: readonly SectionGroup[] = [
  {
    title: "You",
    sections: [
      { href: "/account", name: "Profile", words: "name email time zone" },
      {
        href: "/account/sign-in",
        name: "Sign-in",
        words: "password two-factor authentication passkeys sessions security",
      },
    ],
  },
  {
    title: "Account",
    sections: [
      {
        href: "/account/general",
        name: "General",
        words: "account name rename company team create leave switch",
      },
      {
        href: "/account/people",
        name: "People",
        words: "members users team invite invitations roles",
      },
      { href: "/account/tokens", name: "API tokens", words: "keys" },
      {
        href: "/account/data",
        name: "Data",
        words:
          "masked fields privacy personal pii gdpr email hide redact forget erase person delete",
      },
      {
        href: "/account/usage",
        name: "Usage",
        words: "billing deliveries bytes calls sends quota month statistics",
      },
      { href: "/account/audit", name: "Audit log", words: "history changes who did what" },
      {
        href: "/account/alerts",
        name: "Alerts",
        words: "channels rules slack email pagerduty teams discord quiet hours digest",
      },
      {
        href: "/account/sending",
        name: "Sending",
        words: "portal color logo origins challenge catalog signature header standard webhooks",
      },
    ],
  },
];
