-- Some providers are asked to send what is missing again. See
-- docs/decisions/verification/161-where-a-provider-redelivers-it-is-asked-to.md.
-- The path of the webhook in the provider's API, if it lists what one webhook sent.
alter table gaps add column webhook text;
alter table gap_schedules add column webhook text;
alter table gap_events drop constraint gap_events_state_check;
alter table gap_events add constraint gap_events_state_check
  check (state in ('known', 'missing', 'taken', 'asked', 'repeated', 'refused'));
